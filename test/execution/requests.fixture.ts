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
  'a null in place of a nullable argument': {
    query: `mutation ($input: CreateStudyInput!, $key: UUID) {
      createStudy(input: $input, idempotencyKey: $key) { id } }`,
    variables: { input: {}, key: null },
  },
  'an absent variable': {
    query: `mutation ($input: CreateStudyInput!, $key: UUID) {
      createStudy(input: $input, idempotencyKey: $key) { id } }`,
    variables: { input: {} },
  },
  'an absent variable with the name of what every object has': {
    query: `mutation ($input: CreateStudyInput!, $constructor: UUID) {
      createStudy(input: $input, idempotencyKey: $constructor) { id } }`,
    variables: { input: {} },
  },
  'a variable too many': { query: createId, variables: { input: {}, other: 1 } },
  aliases: {
    query: `mutation { a: createStudy(input: {}) { one: id, p: progress { t: total, f: failed } } }`,
  },
  'aliases that are words of JavaScript': {
    query: `mutation { constructor: createStudy(input: {}) {
      default: id, toString: status, hasOwnProperty: files, null: language, object: strategy, complete0: planId } }`,
  },
  'a field in several places': {
    query: `mutation { createStudy(input: {}) { progress { total } id } createStudy(input: {}) { progress { failed } id } }`,
  },
  __typename: {
    query: `mutation { createStudy(input: {}) { __typename progress { kind: __typename } } }`,
  },
  fragments: {
    query: `mutation { createStudy(input: {}) { ...A ... on Study { progress { completed } } ... { status } } }
      fragment A on Study { id progress { total } ...B } fragment B on Study { files }`,
  },
  'two mutations': {
    query: `mutation { a: createStudy(input: { description: "1" }) { id } b: editStudy(id: "${id}", input: { description: null }) { id } }`,
  },
  'the name of its operation': {
    query: create,
    variables: { input },
    operationName: 'CreateStudy',
  },
  'a null in place of an object field': {
    query: createId,
    variables: { input: { progress: null } },
  },
};

/** Operations with an execution plan that read a page of studies. */
export const regularLists: Record<string, Request> = {
  'a page': { query: print(StudiesDocument), variables: { page: 1, size: 20 } },
  'a page without arguments': { query: print(StudiesDocument) },
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
  'a page in several places': {
    query: '{ studies { items { id } page } studies { items { progress { total } } page size } }',
  },
  'a page that is not asked for': { query: '{ studies(page: 2) { page } }' },
  'a size that is refused': { query: '{ studies(size: 0) { page } }' },
};

/** Operations whose variables are refused before graphql-js executes the operation. */
export const refused: Record<string, Request> = {
  'a variable of a wrong type': { query: createId, variables: { input: { description: 1 } } },
  'an unknown input field': { query: createId, variables: { input: { wat: 1 } } },
  'a variable that is missing': { query: createId, variables: {} },
  'a null for what may not be null': { query: createId, variables: { input: null } },
  'a number out of range': { query: createId, variables: { input: { progress: { total: 1e10 } } } },
  'a broken date': { query: createId, variables: { input: { createdAt: '2026-02-30T00:00:00Z' } } },
  'an absent variable for a required argument': {
    query: 'mutation ($input: CreateStudyInput! = {}) { createStudy(input: $input) { id } }',
    variables: { input: null },
  },
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
  'values of every kind': {
    query: createId,
    variables: {
      input: {
        description: { a: [1, [2, [3, [4]]], {}], b: { c: { d: { e: 1 } } } },
        language: [],
        status: [1, 'a"b', null, true, 1.5, 6, 7, 8, 9, 10, 11],
        strategy: Array(12).fill(0),
        interviewCount: '\\" \u0001 \ud800',
        bookmarked: { constructor: 'x' },
        progress: ['x'],
      },
    },
  },
  'a wrong variable in a query of two fields': {
    query: `query ($a: UUID!) { a: study(id: $a) { id } b: study(id: $a) { status } }`,
    variables: { a: 'x' },
  },
};

/** Operations that no plan answers: graphql-js always executes or refuses them. */
export const irregular: Record<string, Request> = {
  'one value in place of a list': { query: createId, variables: { input: { audiences: 'a' } } },
  '@skip': {
    query: `mutation ($s: Boolean!) { createStudy(input: {}) { id status @skip(if: $s) } }`,
    variables: { s: true },
  },
  '@include on a fragment': {
    query: `mutation { createStudy(input: {}) { id ...A @include(if: false) } } fragment A on Study { status }`,
  },
  'two queries side by side': {
    query: `{ a: study(id: "${id}") { id } b: study(id: "${id}") { status } }`,
  },
  'two lists side by side': {
    query: '{ a: studies { items { id } } b: studies(size: 1) { total } }',
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
  'an id that would be a prototype': {
    query: `query ($__proto__: UUID!) { study(id: $__proto__) { id } }`,
    variables: JSON.parse(`{ "__proto__": "${id}" }`),
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
  'a name that is not there': { query: create, variables: { input }, operationName: 'Other' },
};
