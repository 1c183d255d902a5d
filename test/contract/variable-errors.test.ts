import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;
const create = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';
const edit =
  'mutation ($id: UUID!, $input: EditStudyInput!) { editStudy(id: $id, input: $input) { id } }';
const list = 'query ($ids: [UUID!], $page: Int) { studies(projectId: $ids, page: $page) { page } }';

const uuid = 'a UUID: a string of 36 characters such as "123e4567-e89b-12d3-a456-426614174000".';
const dateTime =
  'a DateTime: an RFC 3339 string such as "2026-03-01T09:30:00.123456+01:00", with or without the offset.';

type Row = [
  document: string,
  variables: object,
  message: string,
  /** Path in `fieldErrors`; `undefined` for a variable that is not an argument. */
  path?: readonly (string | number)[],
];

/** No message contains the value `canary`. */
const rows: readonly Row[] = [
  [edit, { id: 'canary', input: {} }, `$id must be ${uuid}`, ['id']],
  [edit, { input: {} }, '$id must be given.', ['id']],
  [edit, { id: null, input: {} }, '$id must not be null.', ['id']],
  [
    create,
    { input: { createdAt: 'canary' } },
    `$input.createdAt must be ${dateTime}`,
    ['input', 'createdAt'],
  ],
  [
    create,
    { input: { progress: { total: 1.5 } } },
    '$input.progress.total must be of the type Int.',
    ['input', 'progress', 'total'],
  ],
  [
    create,
    { input: { audiences: ['a', { canary: 1 }] } },
    '$input.audiences[1] must be of the type String.',
    ['input', 'audiences', 1],
  ],
  [list, { ids: [id, null] }, '$ids[1] must not be null.', ['projectId', 1]],
  [list, { ids: 'canary' }, `$ids must be ${uuid}`, ['projectId']],
  [create, { input: 'canary' }, '$input must be of the type CreateStudyInput.', ['input']],
  [create, { input: { canary_of_input: 1 } }, '$input has no field "canary_of_input".', ['input']],
  // A name that is no identifier, or a long one, is not shown.
  ...['canary "x".', 'canary'.repeat(7)].map((name): Row => [
    create,
    { input: { progress: { [name]: 1 } } },
    '$input.progress must be of the type ProgressInput.',
    ['input', 'progress'],
  ]),
  [
    'mutation ($v: UUID) { ...F } fragment F on Mutation { createStudy(input: {}, idempotencyKey: $v) { id } }',
    { v: 7 },
    `$v must be ${uuid}`,
    ['idempotencyKey'],
  ],
  [
    'mutation ($total: Int) { createStudy(input: { progress: { total: $total } }) { id } }',
    { total: 'canary' },
    '$total must be of the type Int.',
  ],
  [
    'query ($c: Boolean!) { studies { page @skip(if: $c) } }',
    { c: 'canary' },
    '$c must be of the type Boolean.',
  ],
];

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s', (_, plans) => {
  it('an error names place and type, and no value', async () => {
    const { post, calls } = await startTestGateway({ plans });

    for (const [query, variables, message, path] of rows) {
      const response = await post({ query, variables });
      const { errors, ...others }: ExecutionResult = JSON.parse(await response.text());

      const name = /^\$\w+/.exec(message)![0];
      const reason = message.slice(message.indexOf(' ') + 1);
      const first = { path, message: reason[0]!.toUpperCase() + reason.slice(1) };
      expect({ status: response.status, ...others, errors }).toEqual({
        status: 400,
        errors: [
          {
            message,
            locations: [{ line: 1, column: query.indexOf(`${name}:`) + 1 }],
            extensions: {
              code: 'BAD_USER_INPUT',
              outcome: 'NOT_SENT',
              retryable: false,
              requestId: expect.any(String),
              ...(path && { fieldErrors: [first] }),
            },
          },
        ],
      });
    }
    expect(calls).toEqual([]);
  });
});

it('reports ten values that do not fit, in their order', async () => {
  const { graphql } = await startTestGateway();

  const audiences = Array.from({ length: 20 }, () => 7);
  const { errors } = await graphql(create, { input: { projectId: 'x', audiences } });

  expect(errors?.map(({ message }) => message.replace(/ must be .*/, ''))).toEqual([
    '$input.projectId',
    ...Array.from({ length: 9 }, (_, index) => `$input.audiences[${index}]`),
  ]);
});

it.each(['{ id status @skip(if: $c) }', '@skip(if: $c) { id }'])(
  'sends nothing if a condition is null: %s',
  async (selection) => {
    const { graphql, calls } = await startTestGateway();

    const { errors } = await graphql(
      `mutation ($c: Boolean = true) { createStudy(input: {}) ${selection} }`,
      { c: null },
    );

    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT' } }]);
    expect(calls).toEqual([]);
  },
);
