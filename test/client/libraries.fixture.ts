import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { ErrorLink } from '@apollo/client/link/error';
import { RetryLink } from '@apollo/client/link/retry';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { retryExchange } from '@urql/exchange-retry';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { GraphQLClient } from 'graphql-request';
import { throwError } from 'rxjs';
import { retryIfSafe } from 'study-gateway-client';

type Variables = Record<string, unknown>;
type Document = TypedDocumentNode<unknown, Variables>;

/** Runs one operation as the users of a library do, and returns what they get of it: the result, or the error that is thrown. */
type Run = (url: string, document: Document) => Promise<unknown>;

const headers = { authorization: 'Bearer token' };

const isQuery = (document: Document) =>
  getOperationAST(document)?.operation === OperationTypeNode.QUERY;

/** Creates an Apollo Client with the links of examples/recipes/apollo-retries.ts, except for the delay. */
export function createApolloClient(url: string): ApolloClient {
  const link = ApolloLink.from([
    new RetryLink({ attempts: { max: 3, retryIf: retryIfSafe }, delay: () => 1 }),
    new ErrorLink(({ error, operation }) =>
      retryIfSafe(error, operation) ? throwError(() => error) : undefined,
    ),
    new HttpLink({ uri: `${url}/graphql`, headers }),
  ]);
  return new ApolloClient({ link, cache: new InMemoryCache() });
}

const withApolloClient: Run = async (url, document) => {
  const client = createApolloClient(url);
  const run = isQuery(document)
    ? client.query({ query: document })
    : client.mutate({ mutation: document });
  return run.catch((error: unknown) => error);
};

const withUrql: Run = async (url, document) => {
  const retry = { initialDelayMs: 1, maxNumberAttempts: 3, retryIf: retryIfSafe };
  const client = new Client({
    url: `${url}/graphql`,
    exchanges: [cacheExchange, retryExchange(retry), fetchExchange],
    fetchOptions: { headers },
    preferGetMethod: false,
  });
  return isQuery(document) ? client.query(document, {}) : client.mutation(document, {});
};

const toRetries = (operation: { operationType: string }) => ({
  retry: (count: number, error: Error) => count < 2 && retryIfSafe(error, operation),
  retryDelay: 1,
});

const withTanStackQuery: Run = async (url, document) => {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: toRetries({ operationType: 'query' }),
      mutations: toRetries({ operationType: 'mutation' }),
    },
  });
  const run = () => new GraphQLClient(`${url}/graphql`, { headers }).request(document);
  const call = isQuery(document)
    ? queryClient.fetchQuery({ queryKey: ['operation'], queryFn: run })
    : new MutationObserver(queryClient, { mutationFn: run }).mutate();
  return call.catch((error: unknown) => error);
};

/** The set-ups of packages/client/README.md and examples/recipes that retry, except for their delays. */
export const setUps: readonly { readonly name: string; readonly run: Run }[] = [
  { name: 'Apollo Client', run: withApolloClient },
  { name: 'urql', run: withUrql },
  { name: 'TanStack Query with graphql-request', run: withTanStackQuery },
];

/** Each row with each of the set-ups. */
export function withEachSetUp<Row extends object>(rows: readonly Row[]) {
  return setUps.flatMap((setUp) => rows.map((row) => ({ ...setUp, ...row })));
}
