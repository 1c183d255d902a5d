import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { repeat } from '../support/bombs.js';
import { studyId } from '../support/inputs.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

interface Refusal {
  readonly text: string;
  readonly errors: readonly { readonly message: string; readonly extensions: object }[];
}

async function refuse(gateway: TestGateway, body: object): Promise<Refusal> {
  const response = await gateway.post(body);
  const text = await response.text();
  return { text, errors: JSON.parse(text).errors };
}

/** Fits into a body, whose limit is 256 KiB. */
const long = 'x'.repeat(240_000);
const name = (index: number): string => `n${index}`.padEnd(64, 'n');
const createWith = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';
const unknownFields = (value: unknown): object =>
  Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`${index}${'é'.repeat(300)}`, value]),
  );

const failures = `mutation { ${repeat(5, (index) => `${name(index)}: createStudy(input: {}) { id }`)} }`;

const rows: readonly [string, object, Parameters<typeof startTestGateway>[0]?][] = [
  ['a document that is too long', { query: long }],
  ['a hundred unknown fields of 64', { query: `{ ${repeat(100, name)} }` }],
  ['a long string that is no UUID', { query: `{ study(id: "${'x'.repeat(19_000)}") { id } }` }],
  ['a long operation name', { query: '{ __typename }', operationName: long }],
  ['a long hash', { extensions: { persistedQuery: { version: 1, sha256Hash: long } } }],
  [
    'a long string in a variable',
    { query: createWith, variables: { input: { interviewCount: long } } },
  ],
  [
    'a long list in a variable',
    { query: createWith, variables: { input: { files: Array(19_000).fill(1) } } },
  ],
  [
    '300 unknown fields in a variable',
    { query: createWith, variables: { input: unknownFields(1) } },
  ],
  [
    'a Study API that says nothing but its own text',
    { query: failures },
    { api: answerJson({ message: long }, 500) },
  ],
];

describe('an error response', () => {
  it.each(rows)(
    'is at most 16 KB of at most 10 short errors: %s',
    async (_, body, options = {}) => {
      const gateway = await startTestGateway(options);

      const { text, errors } = await refuse(gateway, body);

      expect(text).not.toContain('The request body');
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024);
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.length).toBeLessThanOrEqual(10);
      expect(Math.max(...errors.map(({ message }) => message.length))).toBeLessThanOrEqual(400);
      // The response repeats no long text of the client or the Study API.
      expect(text).not.toMatch(/(.{1,2})\1{400}/su);
      // Each error still reports the outcome of its call.
      expect(errors).toEqual(
        errors.map(() =>
          expect.objectContaining({
            extensions: expect.objectContaining({
              code: expect.any(String),
              retryable: false,
              requestId: expect.any(String),
            }),
          }),
        ),
      );
    },
  );
});

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s', (_, plans) => {
  it('a root field has its error even beside more errors below others than a response has room for', async () => {
    const broken = Object.fromEntries(
      Object.keys(wholeStudy).map((field) => [field, field === 'id' ? studyId : { no: field }]),
    );
    const gateway = await startTestGateway({
      plans,
      api: (response, call, request) =>
        (call.url.includes(studyId)
          ? answerJson({}, 403)
          : answerJson(toPage(Array(100).fill(broken), { size: 100, total: 100 })))(
          response,
          call,
          request,
        ),
    });
    const fields =
      'description createdAt bookmarked language audiences audiencesObj problems files planId status interviews summaries';
    const lists = repeat(5, (i) => `l${i}: studies(size: 100) { items { ${fields} } }`);

    const response = await gateway.post({
      query: `{ ${lists} forbidden: study(id: "${studyId}") { id } }`,
    });
    const { data, errors = [] }: ExecutionResult = JSON.parse(await response.text());

    const roots = new Set(errors.map(({ path }) => path![0]));
    expect([...roots]).toEqual(expect.arrayContaining(Object.keys(data!)));
    expect(errors.filter(({ path }) => path![0] === 'forbidden')).toMatchObject([
      { path: ['forbidden'], extensions: { code: 'FORBIDDEN' } },
    ]);
    expect(errors.length).toBeLessThanOrEqual(1_000 + Object.keys(data!).length);
  });
});

it('an error has five locations at most, even if its field is selected 300 times', async () => {
  const gateway = await startTestGateway({ api: answerJson({ ...wholeStudy, files: 1 }) });

  const { errors } = await refuse(gateway, {
    query: `{ study(id: "${studyId}") { ${repeat(300, () => 'files')} } }`,
  });

  expect(errors).toMatchObject([{ path: ['study', 'files'] }]);
  expect(errors[0]).toHaveProperty('locations.length', 5);
});

describe('a suggestion from the schema ("Did you mean …?")', () => {
  it.each([
    ['a field', '{ studi(id: 1) { id } }'],
    ['an argument', `{ study(idd: "${studyId}") { id } }`],
    ['a type', 'query ($a: CreateStudyInputt) { __typename }'],
    ['an input field in a literal', 'mutation { createStudy(input: { descriptio: "a" }) { id } }'],
  ])('is given in development, and not in production: %s', async (_, query) => {
    const development = await startTestGateway();
    const production = await startTestGateway({ isProduction: true });

    const told = await refuse(development, { query });
    const hidden = await refuse(production, { query });

    expect(told.text).toMatch(/Did you mean (the \w+ )?\\"/);
    expect(hidden.text).not.toMatch(/Did you mean (the \w+ )?\\"/i);
    expect(hidden.errors).toHaveLength(told.errors.length);
  });
});
