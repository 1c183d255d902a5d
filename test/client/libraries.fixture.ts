import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { ErrorLink } from '@apollo/client/link/error';
import { RetryLink } from '@apollo/client/link/retry';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { retryExchange } from '@urql/exchange-retry';
import { getOperationAST, OperationTypeNode, print } from 'graphql';
import { GraphQLClient } from 'graphql-request';
import { throwError } from 'rxjs';
import { retryIfSafe } from 'study-gateway-client';

type Variables = Record<string, unknown>;
type Document = TypedDocumentNode<unknown, Variables>;

/**
 * Runs one operation as the users of a library do, and returns what they get of it: the result, or the error that is
 * thrown. `token` is '' for none.
 */
type Run = (
  url: string,
  token: string,
  document: TypedDocumentNode<unknown, never>,
  variables: Variables,
) => Promise<unknown>;

const toHeaders = (token: string): Record<string, string> =>
  token === '' ? {} : { authorization: `Bearer ${token}` };

const isQuery = (document: Document) =>
  getOperationAST(document)?.operation === OperationTypeNode.QUERY;

/** Creates an Apollo Client; with the links of examples/recipes/apollo-retries.ts, except for the delay, if `retries`. */
export function createApolloClient(url: string, token = 'token', retries = true): ApolloClient {
  const http = new HttpLink({ uri: `${url}/graphql`, headers: toHeaders(token) });
  const links = [
    new RetryLink({ attempts: { max: 3, retryIf: retryIfSafe }, delay: () => 1 }),
    new ErrorLink(({ error, operation }) =>
      retryIfSafe(error, operation) ? throwError(() => error) : undefined,
    ),
  ];
  const link = ApolloLink.from(retries ? [...links, http] : [http]);
  return new ApolloClient({ link, cache: new InMemoryCache() });
}

const withApolloClient =
  (retries: boolean): Run =>
  async (url, token, document, variables) => {
    const client = createApolloClient(url, token, retries);
    const operation = document as Document;
    const run = isQuery(operation)
      ? client.query({ query: operation, variables })
      : client.mutate({ mutation: operation, variables });
    return run.catch((error: unknown) => error);
  };

const withUrql =
  (retries: boolean): Run =>
  async (url, token, document, variables) => {
    const retry = { initialDelayMs: 1, maxNumberAttempts: 3, retryIf: retryIfSafe };
    const client = new Client({
      url: `${url}/graphql`,
      exchanges: [...(retries ? [cacheExchange, retryExchange(retry)] : []), fetchExchange],
      fetchOptions: { headers: toHeaders(token) },
      preferGetMethod: false,
    });
    const operation = document as Document;
    return isQuery(operation)
      ? client.query(operation, variables)
      : client.mutation(operation, variables);
  };

const request: Run = (url, token, document, variables) =>
  new GraphQLClient(`${url}/graphql`, { headers: toHeaders(token) }).request(
    document as Document,
    variables,
  );

const withFetch: Run = async (url, token, document, variables) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...toHeaders(token) },
    body: JSON.stringify({ query: print(document), variables }),
  });
  return response.json();
};

const toRetries = (operation: { operationType: string }) => ({
  retry: (count: number, error: Error) => count < 2 && retryIfSafe(error, operation),
  retryDelay: 1,
});

const withTanStackQuery: Run = async (...operation) => {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: toRetries({ operationType: 'query' }),
      mutations: toRetries({ operationType: 'mutation' }),
    },
  });
  const run = () => request(...operation);
  return isQuery(operation[2] as Document)
    ? queryClient.fetchQuery({ queryKey: ['operation'], queryFn: run })
    : new MutationObserver(queryClient, { mutationFn: run }).mutate();
};

const caught =
  (run: Run): Run =>
  (...operation) =>
    run(...operation).catch((error: unknown) => error);

const libraries: readonly { readonly name: string; readonly run: Run }[] = [
  { name: 'Apollo Client', run: withApolloClient(false) },
  { name: 'urql', run: withUrql(false) },
  { name: 'graphql-request', run: caught(request) },
  { name: 'fetch', run: caught(withFetch) },
];

/** The set-ups of packages/client/README.md and examples/recipes that retry, except for their delays. */
export const setUps: readonly {
  readonly name: string;
  readonly run: (url: string, document: Document) => Promise<unknown>;
}[] = [
  { name: 'Apollo Client', run: withApolloClient(true) },
  { name: 'urql', run: withUrql(true) },
  { name: 'TanStack Query with graphql-request', run: caught(withTanStackQuery) },
].map(({ name, run }) => ({ name, run: (url, document) => run(url, 'token', document, {}) }));

/** Each row with each of the libraries. */
export function withEachLibrary<Row extends object>(rows: readonly Row[]) {
  return libraries.flatMap((library) => rows.map((row) => ({ ...library, ...row })));
}

/** Each row with one of the libraries in turn. */
export function withALibrary<Row extends object>(rows: readonly Row[]) {
  return rows.map((row, index) => ({ ...libraries[index % libraries.length]!, ...row }));
}

/** Each row with each of the set-ups. */
export function withEachSetUp<Row extends object>(rows: readonly Row[]) {
  return setUps.flatMap((setUp) => rows.map((row) => ({ ...setUp, ...row })));
}
