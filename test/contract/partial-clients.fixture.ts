import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Client, fetchExchange } from '@urql/core';
import { print } from 'graphql';
import { GraphQLClient } from 'graphql-request';

/** The result that a client library returns to a page that shows partial data. */
interface PartialResult {
  readonly data: unknown;
  readonly errors: readonly { readonly path: readonly (string | number)[] | undefined }[];
}

type Read = (
  document: TypedDocumentNode<unknown, Record<string, unknown>>,
  variables: Record<string, unknown>,
) => Promise<PartialResult>;

const headers = { authorization: 'Bearer test-token' };

/** Client libraries that can return data beside errors, each with a function that creates a client. */
export const partialClients: readonly {
  readonly name: string;
  readonly create: (url: string) => Read;
}[] = [
  { name: 'Apollo Client', create: createApolloClient },
  { name: 'urql', create: createUrql },
  { name: 'graphql-request', create: createGraphQLRequest },
];

function createApolloClient(url: string): Read {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${url}/graphql`, headers }),
    cache: new InMemoryCache(),
  });
  return async (query, variables) => {
    const { data, error } = await client.query({
      query,
      variables,
      errorPolicy: 'all',
      fetchPolicy: 'network-only',
    });
    if (error && !CombinedGraphQLErrors.is(error)) throw error;
    return { data: withoutTypenames(data), errors: toErrors(error?.errors) };
  };
}

function createUrql(url: string): Read {
  const client = new Client({
    url: `${url}/graphql`,
    exchanges: [fetchExchange],
    fetchOptions: { headers },
    preferGetMethod: false,
  });
  return async (document, variables) => {
    const { data, error } = await client.query(document, variables);
    if (error?.networkError) throw error.networkError;
    return { data: withoutTypenames(data), errors: toErrors(error?.graphQLErrors) };
  };
}

function createGraphQLRequest(url: string): Read {
  const client = new GraphQLClient(`${url}/graphql`, { headers, errorPolicy: 'all' });
  return async (document, variables) => {
    const { data, errors } = await client.rawRequest(print(document), variables);
    return { data, errors: toErrors(errors) };
  };
}

function toErrors(
  errors: readonly { readonly path?: readonly (string | number)[] | undefined }[] = [],
): PartialResult['errors'] {
  return errors.map(({ path }) => ({ path }));
}

/** Removes `__typename`, which the cache of a client adds, from the data. */
function withoutTypenames(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (key, value: unknown) =>
    key === '__typename' ? undefined : value,
  );
}
