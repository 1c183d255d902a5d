import { print } from 'graphql';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
} from 'study-gateway-client';
import { wholeStudy } from '../support/studies.js';

export interface Request {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

const { id } = wholeStudy;
const input = {
  description: 'Why?',
  audiences: ['a', 'b'],
  progress: { total: 3, failed: null },
  createdAt: '2026-03-01T09:30:00.123456+01:00',
};
const create = print(CreateStudyDocument);
const createId = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';

/** Operations with an execution plan, which graphql-js does not execute as long as no error occurs. */
export const regular: Record<string, Request> = {
  'every field': { query: create, variables: { input } },
  'an edit': { query: print(EditStudyDocument), variables: { id, input } },
  'a read': { query: print(StudyDocument), variables: { id } },
  'an input written out': {
    query: `mutation { createStudy(input: { description: "a", progress: { total: null }, files: "f" }) { id files } }`,
  },
  'no variable at all': { query: createId.replace('!', '! = {}'), variables: {} },
  'a default': {
    query:
      `mutation ($input: CreateStudyInput = { description: "d" }, $key: UUID = "6f0d2c1e-4b7a-4e59-8c3d-2a1b0c9d8e7f") {
      createStudy(input: $input, idempotencyKey: $key) { id } }`.replace('Input =', 'Input! ='),
  },
  'an absent variable with the name of what every object has': {
    query: `mutation ($input: CreateStudyInput!, $constructor: UUID) {
      createStudy(input: $input, idempotencyKey: $constructor) { id } }`,
    variables: { input: {} },
  },
  'aliases that are words of JavaScript': {
    query: `mutation { constructor: createStudy(input: {}) {
      default: id, toString: status, hasOwnProperty: files, null: language, object: strategy, complete0: planId } }`,
  },
  fragments: {
    query: `mutation { createStudy(input: {}) { ...A ... on Study { progress { completed } } ... { status __typename } } }
      fragment A on Study { id progress { total } ...B } fragment B on Study { texts: files progress { failed } }`,
  },
  'two mutations': {
    query: `mutation { a: createStudy(input: { description: "1" }) { id } b: editStudy(id: "${id}", input: { description: null }) { id } }`,
  },
  'a null in place of an object field': {
    query: createId,
    variables: { input: { progress: null } },
  },
};

/** Operations with an execution plan that read a page of studies. */
export const regularLists: Record<string, Request> = {
  'a page': { query: print(StudiesDocument), variables: { page: 1, size: 20 } },
  'a page of projects': {
    query: print(StudiesDocument),
    variables: { projectId: [wholeStudy.projectId], size: null },
  },
  'a page by literals': {
    query: `{ studies(page: 1, size: 3, projectId: ["${wholeStudy.projectId}"]) { total items { id } } }`,
  },
  'a page by fragments and aliases': {
    query: `{ all: studies { ...P __typename } } fragment P on StudyPage { list: items { __typename a: id } list: items { status } pages }`,
  },
  'a size that is refused': { query: '{ studies(size: 0) { page } }' },
};

/** Operations whose variables are refused before graphql-js executes the operation. */
export const refused: Record<string, Request> = {
  'a variable of a wrong type': { query: createId, variables: { input: { description: 1 } } },
  'an unknown input field': { query: createId, variables: { input: { wat: 1 } } },
  'a variable that is missing': { query: createId, variables: {} },
  'a null for what may not be null': { query: createId, variables: { input: null } },
  'several wrong variables': {
    query:
      'mutation ($a: UUID!, $input: EditStudyInput!) { editStudy(id: $a, input: $input) { id } }',
    variables: { a: 'x', input: { status: 1, progress: { total: 'x', failed: 1.5 }, wat: true } },
  },
  'a wrong element of a list': {
    query: 'query ($ids: [UUID!]) { studies(projectId: $ids) { total } }',
    variables: { ids: [id, 'x'] },
  },
  'a wrong variable of several uses': {
    query: `mutation ($text: UUID) { ...F b: createStudy(input: {}, idempotencyKey: $text) { id } }
      fragment F on Mutation { a: createStudy(input: {}, idempotencyKey: $text) { id } }`,
    variables: { text: 7 },
  },
  'more wrong values than graphql-js reports': {
    query: createId,
    variables: { input: { audiences: Array.from({ length: 60 }, () => 1) } },
  },
};

/** Operations that no plan answers: graphql-js always executes or refuses them. */
export const irregular: Record<string, Request> = {
  'one value in place of a list': { query: createId, variables: { input: { audiences: 'a' } } },
  '@skip': {
    query: `mutation ($s: Boolean!) { createStudy(input: {}) { id status @skip(if: $s) } }`,
    variables: { s: true },
  },
  'two queries side by side': {
    query: `{ a: study(id: "${id}") { id } b: study(id: "${id}") { status } }`,
  },
  introspection: { query: '{ __type(name: "Progress") { name fields { name } } }' },
  'an alias that would be a prototype': {
    query: 'mutation { createStudy(input: {}) { __proto__: id status } }',
  },
  'a root field whose alias would be a prototype': {
    query: 'mutation { a: createStudy(input: {}) { id } __proto__: createStudy(input: {}) { id } }',
  },
  'a variable that would be a prototype': {
    query: `mutation ($__proto__: CreateStudyInput!) { createStudy(input: $__proto__) { id } }`,
    variables: JSON.parse('{ "__proto__": { "description": "a" } }'),
  },
  'a __typename at the root': { query: 'mutation { __typename createStudy(input: {}) { id } }' },
  'an operation among others': {
    query:
      'mutation A { createStudy(input: {}) { id } } mutation B { createStudy(input: {}) { status } }',
    operationName: 'B',
  },
  'no name among several': {
    query:
      'mutation A { createStudy(input: {}) { id } } mutation B { createStudy(input: {}) { status } }',
  },
};
