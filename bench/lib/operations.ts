import { UNIQUE } from './load.ts';
import { document, editInput, fields, input } from './study.ts';

/** One GraphQL request. */
export interface Operation {
  readonly query: string;
  readonly variables?: object;
  /** The REST call, for the bare proxy. */
  readonly extensions?: object;
}

const id = '0b9d1f2a-6d55-4a6e-9d5c-0c8f5d1f7a11';
const pick = ['id', 'description', 'status'];
const selection = pick.join(' ');

export const create: Operation = { query: document, variables: { input } };

const edit: Operation = {
  query: `mutation EditStudy($id: UUID!, $input: EditStudyInput!) { editStudy(id: $id, input: $input) { ${selection} } }`,
  variables: { id, input: editInput },
  extensions: { field: 'editStudy', method: 'PATCH', path: `/studies/${id}`, pick },
};

const read: Operation = {
  query: `query Study($id: UUID!) { study(id: $id) { ${selection} } }`,
  variables: { id },
  extensions: { field: 'study', method: 'GET', path: `/studies/${id}`, pick },
};

const page: Operation = {
  query: `query Studies { studies(size: 100) { items { ${fields} } page size total pages } }`,
  extensions: { field: 'studies', method: 'GET', path: '/studies?size=100' },
};

/** The create with an idempotency key of its own for each request. */
export const keyed: Operation = {
  query: document
    .replace('$input:', '$key: UUID, $input:')
    .replace('(input:', '(idempotencyKey: $key, input:'),
  variables: { input, key: UNIQUE },
};

/** What every contender is measured by. */
export const operations = {
  create: { label: 'create, 23 fields', operation: create },
  edit: { label: 'edit, 3 fields', operation: edit },
  read: { label: 'read, 3 fields', operation: read },
  page: { label: 'a page of 100 studies, 23 fields', operation: page },
};
