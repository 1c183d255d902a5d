import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { GraphQLClient } from 'graphql-request';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
  newIdempotencyKey,
  retryIfSafe,
  type CreateStudyMutationVariables,
} from 'study-gateway-client';
import { report, url } from './report.js';

const query = { operationType: 'query' };
const mutation = { operationType: 'mutation' };

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 2 && retryIfSafe(error, query),
    },
    mutations: {
      retry: (count, error) => count < 2 && retryIfSafe(error, mutation),
    },
  },
});

const createClient = (token: string) =>
  new GraphQLClient(url, { headers: { authorization: `Bearer ${token}` } });

const createCreation = (client: GraphQLClient) =>
  new MutationObserver(queryClient, {
    mutationFn: (variables: CreateStudyMutationVariables) =>
      client.request(CreateStudyDocument, variables),
  });

const client = createClient('demo-token');
const variables = { input: { description: 'New' }, idempotencyKey: newIdempotencyKey() };
const created = await createCreation(client).mutate(variables);
const id = created.createStudy?.id ?? '';
const edited = await new MutationObserver(queryClient, {
  mutationFn: () => client.request(EditStudyDocument, { id, input: { description: 'Edited' } }),
}).mutate();
const read = await queryClient.fetchQuery({
  queryKey: ['study', id],
  queryFn: () => client.request(StudyDocument, { id }),
});
const failed = await createCreation(createClient('demo-cut'))
  .mutate({ input: {} })
  .catch((error: unknown) => error);

report({
  created: created.createStudy?.description,
  edited: edited.editStudy?.description,
  read: read.study?.description,
  failed,
});
