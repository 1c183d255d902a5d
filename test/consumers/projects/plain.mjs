// Plain Node: no compiler, no library of a client.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { print } from 'graphql';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
  matchProblem,
  newIdempotencyKey,
  studyProblem,
} from 'study-gateway-client';
import introspection from 'study-gateway-client/introspection.json' with { type: 'json' };
import manifest from 'study-gateway-client/trusted-documents.json' with { type: 'json' };

const [, , url] = process.argv;

async function send(token, document, variables) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: print(document), variables }),
  });
  return response.json();
}

const schema = readFileSync(
  fileURLToPath(import.meta.resolve('study-gateway-client/schema.graphql')),
  'utf8',
);
if (!schema.includes('type Study ') || !introspection.__schema || !manifest.operations)
  throw new Error('A file of the package is not what it is called.');

const variables = { input: { description: 'New' }, idempotencyKey: newIdempotencyKey() };
const created = await send('demo-token', CreateStudyDocument, variables);
const { id } = created.data.createStudy;
const input = { description: 'Edited' };
const edited = await send('demo-token', EditStudyDocument, { id, input });
const read = await send('demo-token', StudyDocument, { id });
const problem = studyProblem(await send('demo-cut', CreateStudyDocument, { input }));
console.log(
  JSON.stringify({
    created: created.data.createStudy.description,
    edited: edited.data.editStudy.description,
    read: read.data.study.description,
    problem,
    advice: matchProblem(problem, { unknown: () => 'Check first.' }),
  }),
);
