import fc from 'fast-check';
import { print } from 'graphql';
import { expect, it } from 'vitest';
import { anyAnswer, createStudyInput, editStudyInput, study } from './arbitraries.fixture.js';
import { CreateStudyDocument } from 'study-gateway-client';
import {
  commonFields,
  createOnlyFields,
  createStudy,
  editStudy,
  toFields,
  toLiteral,
} from '../support/inputs.js';
import { allDaily } from '../support/daily.js';
import { startTestGateway } from '../support/gateway.js';

// A failing property prints its seed and path: `fc.assert(…, { seed, path })` runs the same case again.

/** Timeout of a test in ms, for some hundred requests on a machine that may be busy. */
const timeout = 30_000;

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
    await fc.assert(property, { numRuns: allDaily(200, 40) });
  },
);

it('every study that conforms to the contract arrives unchanged', { timeout }, async () => {
  let body = '';
  const { post, log } = await startTestGateway({ api: (response) => void response.end(body) });

  const property = fc.asyncProperty(study, async (value) => {
    body = JSON.stringify(value);

    const response = await post({ query: print(CreateStudyDocument), variables: { input: {} } });

    // Compares text, because parsed objects treat keys such as `__proto__` specially and may reorder keys.
    expect((await response.text()).trim()).toBe(`{"data":{"createStudy":${body}}}`);
  });
  await fc.assert(property, { numRuns: allDaily(200, 40) });
  expect(log.filter(({ level }) => Number(level) > 30)).toEqual([]);
});

const inputs = [
  { ...createStudy, names: Object.keys({ ...commonFields, ...createOnlyFields }) },
  { ...editStudy, names: Object.keys(commonFields) },
];
const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

it.each(inputs)(
  'every value that is read can be sent back by $name, except an id that is no UUID',
  { timeout },
  async ({ name, names, inputType }) => {
    let body = '';
    const { graphql, calls } = await startTestGateway({
      api: (response) => void response.end(body),
    });
    const selection = names.map((field) =>
      field === 'progress' ? 'progress { total completed failed }' : field,
    );
    const read = `query ($id: UUID!) { study(id: $id) { ${selection.join(' ')} } }`;
    const write =
      name === 'createStudy'
        ? `mutation ($input: ${inputType}!) { createStudy(input: $input) { id } }`
        : `mutation ($id: UUID!, $input: ${inputType}!) { editStudy(id: $id, input: $input) { id } }`;

    const property = fc.asyncProperty(anyAnswer, async (given) => {
      body = given.body;
      const { id } = given;
      const study = (await graphql(read, { id })).data?.['study'] as Record<string, unknown>;
      const refused = ['solutionId', 'researchGoalId'].filter(
        (field) => typeof study[field] === 'string' && !isUuid.test(study[field]),
      );
      const sendable = Object.fromEntries(
        Object.entries(study).filter(([field]) => !refused.includes(field)),
      );
      const from = calls.length;

      const whole = await graphql(write, { id, input: study });
      const rest = await graphql(write, { id, input: sendable });

      const written = { data: { [name]: { id } } };
      const bodies = calls.slice(from).map((call) => JSON.parse(call.body) as unknown);
      expect(rest).toEqual(written);
      expect(bodies).toStrictEqual(refused.length === 0 ? [study, study] : [sendable]);
      expect(whole.errors?.map(({ extensions }) => extensions) ?? []).toMatchObject(
        refused.map((field) => ({ fieldErrors: [{ path: ['input', field] }] })),
      );
    });
    await fc.assert(property, { numRuns: allDaily(100, 30) });
  },
);
