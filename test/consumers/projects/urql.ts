import { Client, fetchExchange } from '@urql/core';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
  type CreateStudyInput,
} from 'study-gateway-client';
import { report, url } from './report.js';

const createClient = (token: string) =>
  new Client({
    url,
    exchanges: [fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
  });

const client = createClient('demo-token');
const input: CreateStudyInput = { description: 'New' };
const created = await client.mutation(CreateStudyDocument, { input });
const id = created.data?.createStudy?.id ?? '';
const edited = await client.mutation(EditStudyDocument, { id, input: { description: 'Edited' } });
const read = await client.query(StudyDocument, { id });
const failed = await createClient('demo-cut').mutation(CreateStudyDocument, { input });
// @ts-expect-error: an edit needs its id, so the types are there
export const incomplete = () => client.mutation(EditStudyDocument, { input });

report({
  created: created.data?.createStudy?.description,
  edited: edited.data?.editStudy?.description,
  read: read.data?.study?.description,
  failed,
});
