import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Client, fetchExchange } from '@urql/core';
import { getOperationAST, OperationTypeNode, print } from 'graphql';
import { GraphQLClient } from 'graphql-request';

type Variables = Record<string, unknown>;

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

type AnyDocument = TypedDocumentNode<unknown, Variables>;

const withApolloClient: Run = async (url, token, document, variables) => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${url}/graphql`, headers: toHeaders(token) }),
    cache: new InMemoryCache(),
  });
  const operation = document as AnyDocument;
  const run = isQuery(document)
    ? client.query({ query: operation, variables })
    : client.mutate({ mutation: operation, variables });
  return run.catch((error: unknown) => error);
};

const withUrql: Run = async (url, token, document, variables) => {
  const client = new Client({
    url: `${url}/graphql`,
    exchanges: [fetchExchange],
    fetchOptions: { headers: toHeaders(token) },
    preferGetMethod: false,
  });
  const operation = document as AnyDocument;
  return isQuery(document)
    ? client.query(operation, variables)
    : client.mutation(operation, variables);
};

const withGraphQLRequest: Run = async (url, token, document, variables) =>
  new GraphQLClient(`${url}/graphql`, { headers: toHeaders(token) })
    .request(document as AnyDocument, variables)
    .catch((error: unknown) => error);

const withFetch: Run = async (url, token, document, variables) => {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...toHeaders(token) },
      body: JSON.stringify({ query: print(document), variables }),
    });
    return await response.json();
  } catch (error) {
    return error;
  }
};

const libraries: readonly { readonly name: string; readonly run: Run }[] = [
  { name: 'Apollo Client', run: withApolloClient },
  { name: 'urql', run: withUrql },
  { name: 'graphql-request', run: withGraphQLRequest },
  { name: 'fetch', run: withFetch },
];

/** Each row with each of the libraries. */
export function withEachLibrary<Row extends object>(rows: readonly Row[]) {
  return libraries.flatMap((library) => rows.map((row) => ({ ...library, ...row })));
}

/** Each row with one of the libraries in turn. */
export function withALibrary<Row extends object>(rows: readonly Row[]) {
  return rows.map((row, index) => ({ ...libraries[index % libraries.length]!, ...row }));
}

function isQuery(document: TypedDocumentNode<unknown, never>): boolean {
  return getOperationAST(document)?.operation === OperationTypeNode.QUERY;
}

function toHeaders(token: string): Record<string, string> {
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}
