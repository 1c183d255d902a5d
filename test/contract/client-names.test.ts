import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const { id, status } = wholeStudy;

/** Names with a meaning to JavaScript, and thus no safe keys of an object. */
const names = [
  '__proto__',
  '__defineGetter__',
  'constructor',
  'hasOwnProperty',
  'prototype',
  'then',
  'toJSON',
  'toString',
  'valueOf',
];

const study = `{"id":"${id}"}`;

/** Documents with a name that the client chooses, and the `data` of their answers. `input` and `id` are the variables. */
const rows: readonly [string, (name: string) => string, (name: string) => string][] = [
  [
    'the response name of a create',
    (name) => `mutation { ${name}: createStudy(input: {}) { id } }`,
    (name) => `{"${name}":${study}}`,
  ],
  [
    'the response name of an edit beside a create',
    (name) =>
      `mutation { a: createStudy(input: {}) { id } ${name}: editStudy(id: "${id}", input: {}) { id } }`,
    (name) => `{"a":${study},"${name}":${study}}`,
  ],
  [
    'the response name of a read',
    (name) => `{ ${name}: study(id: "${id}") { id } }`,
    (name) => `{"${name}":${study}}`,
  ],
  [
    'the response name of a read beside another',
    (name) => `{ ${name}: study(id: "${id}") { id } b: study(id: "${id}") { id } }`,
    (name) => `{"${name}":${study},"b":${study}}`,
  ],
  [
    'the response name of a list',
    (name) => `{ ${name}: studies { items { id } } }`,
    (name) => `{"${name}":{"items":[${study}]}}`,
  ],
  [
    'the response name of a field of a study',
    (name) => `mutation { createStudy(input: {}) { ${name}: id status } }`,
    (name) => `{"createStudy":{"${name}":"${id}","status":"${status}"}}`,
  ],
  [
    'the response name of a field of a listed study',
    (name) => `{ studies { ${name}: items { ${name}: id } } }`,
    (name) => `{"studies":{"${name}":[{"${name}":"${id}"}]}}`,
  ],
  [
    'the response name of a field of an object',
    (name) => `{ study(id: "${id}") { ${name}: progress { ${name}: total } } }`,
    (name) => `{"study":{"${name}":{"${name}":${wholeStudy.progress.total}}}}`,
  ],
  [
    'the response name of a type name',
    (name) => `mutation { ${name}: __typename createStudy(input: {}) { id } }`,
    (name) => `{"${name}":"Mutation","createStudy":${study}}`,
  ],
  [
    'the name of an operation and of a fragment',
    (name) =>
      `mutation ${name} { createStudy(input: {}) { ...${name} } } fragment ${name} on Study { id }`,
    () => `{"createStudy":${study}}`,
  ],
  [
    'the name of a variable that is absent',
    (name) =>
      `mutation ($${name}: UUID) { createStudy(input: { projectId: $${name} }, idempotencyKey: $${name}) { id } }`,
    () => `{"createStudy":${study}}`,
  ],
];

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s', (_, plans) => {
  it.each(rows)('no answer loses a word for %s', async (__, toDocument, toData) => {
    // One body that is a study and a page of studies.
    const api = answerJson({ ...wholeStudy, ...toPage([wholeStudy]) });
    const { post } = await startTestGateway({ plans, api });

    const answers = [];
    for (const query of names.map(toDocument))
      // The second run takes the document from the store of plans.
      for (let run = 1; run <= 2; run++) answers.push(await (await post({ query })).text());

    const expected = names.map((name) => `{"data":${toData(name)}}\n`);
    expect(answers).toEqual(expected.flatMap((answer) => [answer, answer]));
  });
});
