import fc from 'fast-check';
import { print } from 'graphql';
import { expect, it } from 'vitest';
import {
  answer,
  canary,
  createStudyInput,
  editStudyInput,
  study,
  uuid,
  type Answer,
} from './arbitraries.fixture.js';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
} from '../../client/generated/operations.js';
import { createStudy, editStudy, studyId, toFields, toLiteral } from '../support/inputs.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

// A property that fails prints its seed and path: `fc.assert(…, { seed, path })` runs the same case again.

/** In ms: some hundred requests, on a machine that may be busy. */
const timeout = 30_000;

const documents = {
  createStudy: print(CreateStudyDocument),
  editStudy: print(EditStudyDocument),
  study: print(StudyDocument),
};

it.each([
  { operation: createStudy, arbitrary: createStudyInput },
  { operation: editStudy, arbitrary: editStudyInput },
])(
  'every input of $operation.name reaches the API with the same JSON value',
  { timeout },
  async ({ operation, arbitrary }) => {
    const { graphql, calls } = await startTestGateway();
    const { inputType, toDocument } = operation;
    const types = new Map(toFields(operation).map(({ path, type }) => [path.join('.'), type]));

    const property = fc.asyncProperty(arbitrary, async (input) => {
      const from = calls.length;
      const names = Object.keys(input);
      const definitions = names.map((name) => `$${name}: ${types.get(name)}`);
      const fields = names.map((name) => `${name}: $${name}`);

      const results = [
        await graphql(toDocument('$input', `($input: ${inputType}!)`), { input }),
        await graphql(toDocument(toLiteral(input))),
        await graphql(
          toDocument(`{ ${fields.join(', ')} }`, names.length > 0 ? `(${definitions.join()})` : ''),
          input,
        ),
      ];

      expect(results.flatMap(({ errors = [] }) => errors)).toEqual([]);
      expect(calls.slice(from).map(({ body }) => JSON.parse(body) as unknown)).toStrictEqual([
        input,
        input,
        input,
      ]);
    });
    await fc.assert(property, { numRuns: 200 });
  },
);

it('every UUID becomes the path of an edit and of a read', { timeout }, async () => {
  const { graphql, calls } = await startTestGateway();

  const property = fc.asyncProperty(uuid, async (id) => {
    await graphql(documents.editStudy, { id, input: {} });
    await graphql(documents.study, { id });

    expect(calls.slice(-2).map(({ url }) => url)).toEqual([`/studies/${id}`, `/studies/${id}`]);
  });
  await fc.assert(property);
});

it('every study that keeps the contract arrives as it is', { timeout }, async () => {
  let body = '';
  const { post, log } = await startTestGateway({ api: (response) => void response.end(body) });

  const property = fc.asyncProperty(study, async (value) => {
    body = JSON.stringify(value);

    const response = await post({ query: documents.createStudy, variables: { input: {} } });

    // As text, because only there every key is a key like any other, and the order shows.
    expect((await response.text()).trim()).toBe(`{"data":{"createStudy":${body}}}`);
  });
  await fc.assert(property, { numRuns: 200 });
  expect(log.filter(({ level }) => Number(level) > 30)).toEqual([]);
});

const knownCodes = [
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'RATE_LIMITED',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_ERROR',
  'UPSTREAM_CONTRACT',
];

function answerWith({ status, headers, body }: Answer): Respond {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

it.each([
  { field: 'createStudy', outcomes: ['REJECTED', 'APPLIED', 'UNKNOWN'] },
  { field: 'editStudy', outcomes: ['REJECTED', 'APPLIED', 'UNKNOWN'] },
  { field: 'study', outcomes: [undefined] },
] as const)(
  'whatever the API answers to $field, the client gets an answer that it can read',
  { timeout },
  async ({ field, outcomes }) => {
    let respond: Respond = answerJson(wholeStudy);
    const { post, log } = await startTestGateway({ api: (...exchange) => respond(...exchange) });
    const ask = async () => {
      const response = await post({
        query: documents[field],
        variables: field === 'createStudy' ? { input: {} } : { id: studyId, input: {} },
      });
      return { status: response.status, text: await response.text() };
    };

    const property = fc.asyncProperty(answer, async (given) => {
      const from = log.length;
      respond = answerWith(given);
      const { status, text } = await ask();

      expect(status).toBe(200);
      const {
        data,
        errors = [],
        ...more
      } = JSON.parse(text) as {
        data: Record<string, object | null>;
        errors?: { path: unknown[]; extensions: Record<string, unknown> }[];
      };
      expect(more).toEqual({});
      expect(Object.keys(data)).toEqual([field]);
      const isNone = field === 'study' && given.status === 404;
      expect(errors.length > 0 || data[field] !== null || isNone).toBe(true);
      for (const { path, extensions } of errors) {
        expect(path[0]).toBe(field);
        expect(extensions).toMatchObject({
          retryable: expect.any(Boolean),
          requestId: expect.any(String),
        });
        expect(knownCodes).toContain(extensions['code']);
        expect(outcomes).toContain(extensions['outcome']);
      }
      expect(JSON.stringify(errors)).not.toContain(canary);
      expect(JSON.stringify(log.slice(from))).not.toContain(canary);

      respond = answerJson(wholeStudy);
      expect((await ask()).text).toBe(`{"data":{"${field}":${JSON.stringify(wholeStudy)}}}\n`);
    });
    await fc.assert(property, { numRuns: 200 });
  },
);
