import { expect, it } from 'vitest';
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
  'valueOf',
];

const study = `{"id":"${id}"}`;

type ToText = (name: string) => string;

/** Documents with names that the client chooses, and the `data` of their answers. */
const rows: readonly (readonly [what: string, toDocument: ToText, toData: ToText])[] = [
  [
    'response names of writes',
    (name) =>
      `mutation { a: createStudy(input: {}) { id } ${name}: editStudy(id: "${id}", input: {}) { id } }`,
    (name) => `{"a":${study},"${name}":${study}}`,
  ],
  [
    'response names of reads',
    (name) => `{ ${name}: study(id: "${id}") { id } b: study(id: "${id}") { id } }`,
    (name) => `{"${name}":${study},"b":${study}}`,
  ],
  [
    'the response name of a field of a study',
    (name) => `mutation { createStudy(input: {}) { ${name}: id status } }`,
    (name) => `{"createStudy":{"${name}":"${id}","status":"${status}"}}`,
  ],
  [
    'the response names of a list and below',
    (name) => `{ ${name}: studies { ${name}: items { ${name}: id } } }`,
    (name) => `{"${name}":{"${name}":[{"${name}":"${id}"}]}}`,
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
    'the names of an operation, a fragment and an absent variable',
    (name) =>
      `mutation ${name}($${name}: UUID) { createStudy(input: { projectId: $${name} }, idempotencyKey: $${name}) { ...${name} } } fragment ${name} on Study { id }`,
    () => `{"createStudy":${study}}`,
  ],
];

it.each(rows)('no answer loses a word for %s', async (_, toDocument, toData) => {
  // One body that is a study and a page of studies.
  const api = answerJson({ ...wholeStudy, ...toPage([wholeStudy]) });
  const expected = names.map((name) => `{"data":${toData(name)}}\n`);

  for (const plans of [true, false]) {
    const { post } = await startTestGateway({ plans, api });
    const answers = [];
    for (const query of names.map(toDocument))
      // The second run takes the document from the store of plans.
      for (let run = 1; run <= 2; run++) answers.push(await (await post({ query })).text());

    expect(answers).toEqual(expected.flatMap((answer) => [answer, answer]));
  }
});
