import { GraphQLError, print } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
} from 'study-gateway-client';
import { Refusal } from '../../src/errors/refusal.js';
import { RestError } from 'rest-outcome';
import { toPage, wholeStudy } from '../support/studies.js';
import { startServers, type Answers, type Request } from './servers.fixture.js';

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
const regular: Record<string, Request> = {
  'every field': { query: create, variables: { input } },
  'an edit': { query: print(EditStudyDocument), variables: { id, input } },
  'a read': { query: print(StudyDocument), variables: { id } },
  'an input written out': {
    query: `mutation { createStudy(input: { description: "a", progress: { total: null }, files: "f" }) { id files } }`,
  },
  'no variable at all': { query: createId.replace('!', '! = {}'), variables: {} },
  'a default': {
    query: `mutation ($input: CreateStudyInput = { description: "d" }, $key: String = "k1") {
      createStudy(input: $input, idempotencyKey: $key) { id } }`.replace('Input =', 'Input! ='),
  },
  'a null in place of a nullable argument': {
    query: `mutation ($input: CreateStudyInput!, $key: String) {
      createStudy(input: $input, idempotencyKey: $key) { id } }`,
    variables: { input: {}, key: null },
  },
  'an absent variable': {
    query: `mutation ($input: CreateStudyInput!, $key: String) {
      createStudy(input: $input, idempotencyKey: $key) { id } }`,
    variables: { input: {} },
  },
  'an absent variable with the name of what every object has': {
    query: `mutation ($input: CreateStudyInput!, $constructor: String) {
      createStudy(input: $input, idempotencyKey: $constructor) { id } }`,
    variables: { input: {} },
  },
  'a variable too many': { query: createId, variables: { input: {}, other: 1 } },
  aliases: {
    query: `mutation { a: createStudy(input: {}) { one: id, two: id, p: progress { t: total, f: total } } }`,
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
const regularLists: Record<string, Request> = {
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
    query: `{ all: studies { ...P __typename } } fragment P on StudyPage { list: items { __typename a: id b: id } more: items { status } pages }`,
  },
  'a page in several places': {
    query: '{ studies { items { id } page } studies { items { progress { total } } page size } }',
  },
  'a page that is not asked for': { query: '{ studies(page: 2) { page } }' },
  'a size that is refused': { query: '{ studies(size: 0) { page } }' },
};

/** Operations whose variables are refused before graphql-js executes the operation. */
const refused: Record<string, Request> = {
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
    query: `mutation ($text: String) { ...F b: createStudy(input: {}, idempotencyKey: $text) { id } }
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
const irregular: Record<string, Request> = {
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
  'one project in place of a list': {
    query: 'query ($p: [UUID!]) { studies(projectId: $p) { items { id } } }',
    variables: { p: wholeStudy.projectId },
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

const refusal = new RestError(
  'invalid',
  { method: 'POST', path: '/studies', template: '/studies', headers: {} },
  { status: 422 },
);

const errorWithStatus = new GraphQLError('Slow down.', {
  extensions: { code: 'RATE_LIMITED', outcome: 'NOT_SENT', http: { status: 429 } },
});

const answers: Record<string, Answers> = {
  'a whole study': [wholeStudy],
  'only what is required': [
    Object.fromEntries(
      Object.entries(wholeStudy).filter(
        ([, value]) => Array.isArray(value) || typeof value === 'string',
      ),
    ),
  ],
  'null where it may be': [{ ...wholeStudy, description: null, progress: null, solution: null }],
  'broken fields': [{ ...wholeStudy, id: 7, description: 1, files: [1], progress: { total: 'x' } }],
  'a broken required field': [{ ...wholeStudy, files: null, problems: 'none' }],
  'an error': [refusal],
  'an error, then a study': [refusal, wholeStudy],
  'a study, then an error': [wholeStudy, refusal],
  'no token': [new Refusal('UNAUTHENTICATED', 'Send the Study API token.')],
  'a token that may only read': [new Refusal('FORBIDDEN', 'The token may read only.')],
  'an argument that is refused': [
    new Refusal('BAD_USER_INPUT', 'An idempotency key has …', { path: ['idempotencyKey'] }),
  ],
  'an error with a word on the HTTP response': [errorWithStatus],
  'a defect': [new TypeError('secret')],
  'a defect, then a study': [new TypeError('secret'), wholeStudy],
  'an error, then broken fields': [refusal, { ...wholeStudy, files: 7 }],
};

const other = { ...wholeStudy, projectId: '11111111-2222-3333-4444-555555555555' };

const pages: Record<string, Answers> = {
  'a whole page': [toPage([wholeStudy, wholeStudy])],
  'an empty page': [toPage([])],
  'a page without numbers': [{ items: [wholeStudy] }],
  'items that are broken': [
    toPage([{ ...wholeStudy, id: 7 }, null, wholeStudy, 'x', { ...wholeStudy, files: 1 }], {
      total: 'x',
      page: null,
    }),
  ],
  'another project': [toPage([wholeStudy, other])],
  'another page': [toPage([wholeStudy], { page: 3 })],
  'no page': [wholeStudy],
  'an error': [refusal],
};

describe.each([
  ...Object.entries({ ...regular, ...refused, ...irregular }).map(
    ([name, request]) => [name, request, answers] as const,
  ),
  ...Object.entries(regularLists).map(([name, request]) => [name, request, pages] as const),
])('%s', (_, request, answersOfRequest) => {
  it.each(Object.entries(answersOfRequest))(
    'is answered as by graphql-js: %s',
    async (__, answer) => {
      const { ours, plain } = await startServers();
      const expected = await plain(request, answer);

      // In the first run Apollo parses the document; in later runs the document comes from the document store.
      for (let run = 1; run <= 3; run++) {
        expect(await ours(request, answer)).toMatchObject({
          response: expected.response,
          status: expected.status,
          calls: expected.calls,
          defects: [],
        });
      }
    },
  );
});

it.each(Object.entries(regular))('%s runs by a plan from the second run on', async (_, request) => {
  const { ours } = await startServers();
  await ours(request, [wholeStudy]);

  const { isByGraphqlJs, response } = await ours(request, [wholeStudy]);

  expect(isByGraphqlJs).toBe(false);
  expect(JSON.parse(response)).not.toHaveProperty('errors');
});

it.each(Object.entries(regularLists).filter(([name]) => !/refused|not asked for/.test(name)))(
  '%s runs by a plan from the second run on',
  async (_, request) => {
    const { ours } = await startServers();
    const page = [toPage([wholeStudy, wholeStudy])];
    await ours(request, page);

    const { isByGraphqlJs, response } = await ours(request, page);

    expect(isByGraphqlJs).toBe(false);
    expect(JSON.parse(response)).not.toHaveProperty('errors');
  },
);

it.each<[string, Answers]>([
  ['an error of the Study API', [refusal]],
  ['an error, then a study', [refusal, wholeStudy]],
  ['a refused token', [new Refusal('UNAUTHENTICATED', 'Send the Study API token.')]],
  [
    'a refused argument',
    [new Refusal('BAD_USER_INPUT', 'An idempotency key has …', { path: ['idempotencyKey'] })],
  ],
])('a plan answers with %s', async (_, answer) => {
  const { ours } = await startServers();
  await ours(regular['two mutations']!, [wholeStudy]);

  const { isByGraphqlJs, response } = await ours(regular['two mutations']!, answer);

  expect(isByGraphqlJs).toBe(false);
  expect(JSON.parse(response)).toHaveProperty('errors');
});

it.each<[string, Answers]>([
  ['a defect', [new TypeError('secret')]],
  ['a defect after an error', [refusal, new TypeError('secret')]],
  ['an error that sets the HTTP status', [errorWithStatus]],
  ['a broken field after an error', [refusal, { ...wholeStudy, id: 7 }]],
])('a plan leaves %s to graphql-js', async (_, answer) => {
  const { ours } = await startServers();
  await ours(regular['two mutations']!, [wholeStudy]);

  expect(await ours(regular['two mutations']!, answer)).toMatchObject({ isByGraphqlJs: true });
});

it.each(Object.entries(refused))('%s is refused without graphql-js', async (_, request) => {
  const { ours } = await startServers();
  await ours(request, [wholeStudy]);

  const { isByGraphqlJs, response, calls } = await ours(request, [wholeStudy]);

  expect({ isByGraphqlJs, calls }).toEqual({ isByGraphqlJs: false, calls: [] });
  expect(JSON.parse(response)).not.toHaveProperty('data');
});

it.each(Object.entries(irregular))('%s is left to graphql-js', async (_, request) => {
  const { ours } = await startServers();
  await ours(request, [wholeStudy]);

  expect(await ours(request, [wholeStudy])).toMatchObject({ isByGraphqlJs: true });
});
