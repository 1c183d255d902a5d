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

type Document = TypedDocumentNode<unknown, Record<string, unknown>>;

/** Runs one operation, with the retries of a set-up. Returns the last result, or the error that is thrown. */
type Run = (url: string, document: Document) => Promise<unknown>;

const headers = { authorization: 'Bearer token' };
const variables = {};

function isQuery(document: Document): boolean {
  return getOperationAST(document)?.operation === OperationTypeNode.QUERY;
}

/** Creates an Apollo Client with the links of packages/client/README.md, except for the delay. */
export function createApolloClient(url: string): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([
      new RetryLink({ attempts: { max: 3, retryIf: retryIfSafe }, delay: () => 1 }),
      new ErrorLink(({ error, operation }) =>
        retryIfSafe(error, operation) ? throwError(() => error) : undefined,
      ),
      new HttpLink({ uri: `${url}/graphql`, headers }),
    ]),
    cache: new InMemoryCache(),
  });
}

const withApolloClient: Run = async (url, document) => {
  const client = createApolloClient(url);
  const run = isQuery(document)
    ? client.query({ query: document, variables })
    : client.mutate({ mutation: document, variables });
  return run.catch((error: unknown) => error);
};

const withUrql: Run = async (url, document) => {
  const client = new Client({
    url: `${url}/graphql`,
    exchanges: [
      cacheExchange,
      retryExchange({ initialDelayMs: 1, maxNumberAttempts: 3, retryIf: retryIfSafe }),
      fetchExchange,
    ],
    fetchOptions: { headers },
  });
  return isQuery(document)
    ? client.query(document, variables)
    : client.mutation(document, variables);
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
  const client = new GraphQLClient(`${url}/graphql`, { headers });
  const request = () => client.request(document, variables);
  const run = isQuery(document)
    ? queryClient.fetchQuery({ queryKey: ['operation'], queryFn: request })
    : new MutationObserver(queryClient, { mutationFn: request }).mutate();
  return run.catch((error: unknown) => error);
};

/** The set-ups of packages/client/README.md and examples/recipes, except for their delays. */
export const setUps: readonly { readonly name: string; readonly run: Run }[] = [
  { name: 'Apollo Client', run: withApolloClient },
  { name: 'urql', run: withUrql },
  { name: 'TanStack Query with graphql-request', run: withTanStackQuery },
];

/** Returns each row with each of the set-ups. */
export function withEachSetUp<Row extends object>(rows: readonly Row[]) {
  return setUps.flatMap((setUp) => rows.map((row) => ({ ...setUp, ...row })));
}
