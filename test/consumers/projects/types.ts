// Compiled and never run: the types of the operations in each client library, and in a recipe.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { Client, fetchExchange } from '@urql/core';
import { GraphQLClient } from 'graphql-request';
import {
  CreateStudyDocument,
  EditStudyDocument,
  safeWrites,
  type CreateStudyInput,
  type CreateStudyMutationVariables,
} from 'study-gateway-client';
import { retryLink } from './apollo-retries.js';

const url = '/graphql';
const input: CreateStudyInput = { description: 'New' };
const safe = safeWrites({ fetch, url, headers: async () => ({}), owner: () => null });

const link = ApolloLink.from([retryLink, new HttpLink({ uri: url, fetch: safe.fetch })]);
export const apollo = new ApolloClient({ link, cache: new InMemoryCache() });
// @ts-expect-error: an edit needs its id
void apollo.mutate({ mutation: EditStudyDocument, variables: { input } });

export const urql = new Client({ url, exchanges: [fetchExchange], fetch: safe.fetch });
// @ts-expect-error: an edit needs its id
void urql.mutation(EditStudyDocument, { input });

const client = new GraphQLClient(url, { fetch: safe.fetch });
// @ts-expect-error: an edit needs its id
void client.request(EditStudyDocument, { input });

const creation = new MutationObserver(new QueryClient(), {
  mutationFn: (variables: CreateStudyMutationVariables) =>
    client.request(CreateStudyDocument, variables),
});
export const ids = [
  creation.mutate({ input }).then(({ createStudy }) => createStudy?.id),
  apollo
    .mutate({ mutation: CreateStudyDocument, variables: { input } })
    .then(({ data }) => data?.createStudy?.id),
];
