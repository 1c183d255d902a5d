// Each client library with the types of the package: prints what it created, edited, read, and failed to create.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { Client, fetchExchange } from '@urql/core';
import { GraphQLClient } from 'graphql-request';
import {
  CreateStudyDocument,
  EditStudyDocument,
  matchProblem,
  newIdempotencyKey,
  StudyDocument,
  studyProblem,
  type CreateStudyInput,
  type CreateStudyMutationVariables,
  type StudyProblem,
} from 'study-gateway-client';
import { retryLink } from './apollo-retries.js';

const [, , url = ''] = process.argv;
const input: CreateStudyInput = { description: 'New' };
const edited = { description: 'Edited' };

const toHeaders = (token: string) => ({ authorization: `Bearer ${token}` });

function createApollo(token: string) {
  const link = ApolloLink.from([retryLink, new HttpLink({ uri: url, headers: toHeaders(token) })]);
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  // @ts-expect-error: an edit needs its id, so the types are there
  void (() => client.mutate({ mutation: EditStudyDocument, variables: { input } }));
  return {
    create: async () =>
      (await client.mutate({ mutation: CreateStudyDocument, variables: { input } })).data,
    edit: async (id: string) => {
      const variables = { id, input: edited };
      return (await client.mutate({ mutation: EditStudyDocument, variables })).data;
    },
    read: async (id: string) => {
      const query = {
        query: StudyDocument,
        variables: { id },
        fetchPolicy: 'network-only',
      } as const;
      return (await client.query(query)).data;
    },
  };
}

function createUrql(token: string) {
  const fetchOptions = { headers: toHeaders(token) };
  const client = new Client({ url, exchanges: [fetchExchange], fetchOptions });
  // @ts-expect-error: an edit needs its id, so the types are there
  void (() => client.mutation(EditStudyDocument, { input }));
  return {
    create: async () => {
      const { data, error } = await client.mutation(CreateStudyDocument, { input });
      if (error) throw error;
      return data;
    },
    edit: async (id: string) =>
      (await client.mutation(EditStudyDocument, { id, input: edited })).data,
    read: async (id: string) => (await client.query(StudyDocument, { id })).data,
  };
}

function createGraphQLRequest(token: string) {
  const client = new GraphQLClient(url, { headers: toHeaders(token) });
  // @ts-expect-error: an edit needs its id, so the types are there
  void (() => client.request(EditStudyDocument, { input }));
  return {
    create: () => client.request(CreateStudyDocument, { input }),
    edit: (id: string) => client.request(EditStudyDocument, { id, input: edited }),
    read: (id: string) => client.request(StudyDocument, { id }),
  };
}

function createTanStackQuery(token: string) {
  const { edit, read } = createGraphQLRequest(token);
  const client = new GraphQLClient(url, { headers: toHeaders(token) });
  const queries = new QueryClient();
  const creation = new MutationObserver(queries, {
    mutationFn: (variables: CreateStudyMutationVariables) =>
      client.request(CreateStudyDocument, variables),
  });
  return {
    create: () => creation.mutate({ input, idempotencyKey: newIdempotencyKey() }),
    edit,
    read: (id: string) => queries.fetchQuery({ queryKey: ['study', id], queryFn: () => read(id) }),
  };
}

function advise(problem: StudyProblem): string {
  return matchProblem(problem, {
    notSent: () => 'Send it again.',
    rejected: ({ message }) => message,
    applied: ({ studyId }) => `It is ${studyId}.`,
    unknown: () => 'Check first.',
    readFailed: () => 'Read it again.',
  });
}

const libraries = { createApollo, createUrql, createGraphQLRequest, createTanStackQuery };
const seen: Record<string, unknown> = {};
for (const [name, open] of Object.entries(libraries)) {
  const { create, edit, read } = open('demo-token');
  const study = (await create())?.createStudy;
  const id = study?.id ?? '';
  const failed = await open('demo-cut')
    .create()
    .catch((error: unknown) => error);
  seen[name] = [
    study?.description,
    (await edit(id))?.editStudy?.description,
    (await read(id))?.study?.description,
    studyProblem(failed).code,
    advise(studyProblem(failed)),
  ];
}
console.log(JSON.stringify(seen));
