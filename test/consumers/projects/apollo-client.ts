import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
  type CreateStudyInput,
} from 'study-gateway-client';
import { retryLink } from './apollo-retries.js';
import { report, url } from './report.js';

const createClient = (token: string) =>
  new ApolloClient({
    link: ApolloLink.from([
      retryLink,
      new HttpLink({ uri: url, headers: { authorization: `Bearer ${token}` } }),
    ]),
    cache: new InMemoryCache(),
  });

const client = createClient('demo-token');
const input: CreateStudyInput = { description: 'New' };
const created = await client.mutate({ mutation: CreateStudyDocument, variables: { input } });
const id = created.data?.createStudy?.id ?? '';
const edited = await client.mutate({
  mutation: EditStudyDocument,
  variables: { id, input: { description: 'Edited' } },
});
const read = await client.query({
  query: StudyDocument,
  variables: { id },
  fetchPolicy: 'network-only',
});
const failed = await createClient('demo-cut')
  .mutate({ mutation: CreateStudyDocument, variables: { input } })
  .catch((error: unknown) => error);
export const incomplete = () =>
  // @ts-expect-error: an edit needs its id, so the types are there
  client.mutate({ mutation: EditStudyDocument, variables: { input } });

report({
  created: created.data?.createStudy?.description,
  edited: edited.data?.editStudy?.description,
  read: read.data?.study?.description,
  failed,
});
