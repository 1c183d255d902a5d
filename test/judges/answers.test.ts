import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { answerBytes } from '../support/faults.js';
import { startTestGateway } from '../support/gateway.js';
import { toPage } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

const id = '5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50';
const otherId = '77777777-7777-4777-8777-777777777777';
/** A text of the other study, which no answer may have. */
const canary = 'Confidential';
const other = { id: otherId, description: canary, status: canary, audiences: [canary] };

/** Returns the data, and code and outcome of the errors. */
function toVerdict({ data, errors = [] }: ExecutionResult): object {
  return { data, errors: errors.map(({ extensions: { code, outcome } }) => ({ code, outcome })) };
}

/** The verdict on an answer that cannot be believed. A read has no outcome. */
function toRefusal(data: object, outcome?: string): object {
  return { data, errors: [{ code: 'UPSTREAM_CONTRACT', outcome }] };
}

const entities = `query ($id: ID!) {
  _entities(representations: [{ __typename: "Study", id: $id }]) { ... on Study { id description } }
}`;
const toReads = (wanted: string) => [`{ study(id: "${wanted}") { description } }`, entities];
const selections = ['description', 'id', '__typename'];

/** Returns what each document gets from an API that answers every call with `api`. */
async function ask(api: Respond, documents: readonly string[], wanted = id) {
  const { graphql } = await startTestGateway({ api, federation: true });
  return Promise.all(documents.map((document) => graphql(document, { id: wanted })));
}

describe.each<[string, Respond]>([
  ['another id', answerJson(other)],
  ['another id under 201', answerJson(other, 201)],
  ['an id of null', answerJson({ ...other, id: null })],
  ['the right id one level deeper', answerJson({ ...other, solution: { id }, data: { id } })],
  ['the right id of another name', answerJson({ ...other, study_id: id, ID: id })],
  [
    'the right id, then another',
    answerBytes(JSON.stringify(other).replace('{', `{"id":"${id}",`), {}),
  ],
])('an answer with a study of %s', (_, api) => {
  it('is not believed by a read', async () => {
    const reads = selections.map((selection) => `{ study(id: "${id}") { ${selection} } }`);

    const told = await ask(api, [...reads, entities]);

    expect(told.map(toVerdict)).toEqual([
      ...reads.map(() => toRefusal({ study: null })),
      toRefusal({ _entities: [null] }),
    ]);
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`${canary}|${otherId}`));
  });

  it('leaves the outcome of an edit UNKNOWN', async () => {
    const told = await ask(
      api,
      selections.map((one) => `mutation { editStudy(id: "${id}", input: {}) { ${one} } }`),
    );

    expect(told.map(toVerdict)).toEqual(told.map(() => toRefusal({ editStudy: null }, 'UNKNOWN')));
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`${canary}|${otherId}|studyId`));
  });
});

it.each([
  [id, id.toUpperCase()],
  [id.toUpperCase(), id],
])('an answer with another letter case is believed: %s, %s', async (asked, answered) => {
  const edit = `mutation { editStudy(id: "${asked}", input: {}) { description } }`;

  const told = await ask(
    answerJson({ id: answered, description: 'Why?' }),
    [...toReads(asked), edit],
    asked,
  );

  const study = { description: 'Why?' };
  expect(told).toEqual([
    { data: { study } },
    { data: { _entities: [{ ...study, id: expect.any(String) }] } },
    { data: { editStudy: study } },
  ]);
});

it('the only study of an API is believed where that study was asked for', async () => {
  const query = `{ mine: study(id: "${id}") { description } theirs: study(id: "${otherId}") { description } }`;

  const [told] = await ask(answerJson(other), [query]);

  expect(toVerdict(told!)).toEqual(toRefusal({ mine: null, theirs: { description: canary } }));
});

it.each<[string, isBelieved: boolean, Respond]>([
  ['a page', false, answerBytes('<h1>404</h1>', { 'content-type': 'text/html' }, 404)],
  ['a text of no type', false, answerBytes('404 page not found', {}, 404)],
  ['JSON', true, answerJson({ detail: 'Study not found' }, 404)],
  ['no body', true, answerBytes('', {}, 404)],
])('a 404 with %s is believed: %s', async (_, isBelieved, api) => {
  const nothing = [{ study: null }, { _entities: [null] }];

  const told = await ask(api, toReads(id));

  const expected = nothing.map((data) => (isBelieved ? { data, errors: [] } : toRefusal(data)));
  expect(told.map(toVerdict)).toEqual(expected);
});

const right = { ...other, projectId: id };

it.each<[string, object]>([
  ['no projectId', other],
  ['a projectId of null', { ...other, projectId: null }],
  ['a projectId in a list', { ...other, projectId: [id] }],
  ['another projectId', { ...other, projectId: otherId }],
])('a list that passes over a filter by project shows no item: %s', async (_, item) => {
  const wrong = { ...item, id: '88888888-8888-4888-8888-888888888888' };
  const selected = ['items { description }', 'total'];

  for (const body of [toPage([right, wrong]), [wrong]]) {
    const told = await ask(
      answerJson(body),
      selected.map((one) => `{ studies(projectId: ["${id}"]) { ${one} } }`),
    );

    expect(told.map(toVerdict)).toEqual(selected.map(() => toRefusal({ studies: null })));
    expect(JSON.stringify(told)).not.toContain(canary);
  }
});

it.each([
  [toPage([{ ...right, projectId: id.toUpperCase() }]), [{ description: canary }]],
  [toPage([]), []],
])(
  'a list that keeps a filter by project is believed, whatever the letter case',
  async (page, items) => {
    const query = `{ studies(projectId: ["${otherId}", "${id}"]) { items { description } } }`;

    expect(await ask(answerJson(page), [query])).toEqual([{ data: { studies: { items } } }]);
  },
);
