import { GraphQLClient } from 'graphql-request';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
  type CreateStudyInput,
} from 'study-gateway-client';
import { report, url } from './report.js';

const createClient = (token: string) =>
  new GraphQLClient(url, { headers: { authorization: `Bearer ${token}` } });

const client = createClient('demo-token');
const input: CreateStudyInput = { description: 'New' };
const created = await client.request(CreateStudyDocument, { input });
const id = created.createStudy?.id ?? '';
const edited = await client.request(EditStudyDocument, { id, input: { description: 'Edited' } });
const read = await client.request(StudyDocument, { id });
const failed = await createClient('demo-cut')
  .request(CreateStudyDocument, { input })
  .catch((error: unknown) => error);
// @ts-expect-error: an edit needs its id, so the types are there
export const incomplete = () => client.request(EditStudyDocument, { input });

report({
  created: created.createStudy?.description,
  edited: edited.editStudy?.description,
  read: read.study?.description,
  failed,
});
