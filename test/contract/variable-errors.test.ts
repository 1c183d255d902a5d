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
const int = 'an Int: a whole number from -2147483648 to 2147483647.';

type Row = [
  what: string,
  document: string,
  variables: object,
  message: string,
  /** Path in `fieldErrors`; `undefined` for a variable that is not an argument. */
  path?: readonly (string | number)[],
];

/** No message contains the value `canary`. */
const rows: readonly Row[] = [
  ['a variable', edit, { id: 'canary', input: {} }, `$id must be ${uuid}`, ['id']],
  ['a missing variable', edit, { input: {} }, '$id must be given.', ['id']],
  ['null', edit, { id: null, input: {} }, '$id must not be null.', ['id']],
  [
    'a field',
    create,
    { input: { createdAt: 'canary' } },
    `$input.createdAt must be ${dateTime}`,
    ['input', 'createdAt'],
  ],
  [
    'a nested field',
    create,
    { input: { progress: { total: 1.5 } } },
    `$input.progress.total must be ${int}`,
    ['input', 'progress', 'total'],
  ],
  [
    'a large number',
    create,
    { input: { interviewCount: 2_147_483_648 } },
    `$input.interviewCount must be ${int}`,
    ['input', 'interviewCount'],
  ],
  [
    'a Boolean',
    create,
    { input: { bookmarked: 'canary' } },
    '$input.bookmarked must be a Boolean: true or false.',
    ['input', 'bookmarked'],
  ],
  [
    'an element',
    create,
    { input: { audiences: ['a', { canary: 1 }] } },
    '$input.audiences[1] must be a String.',
    ['input', 'audiences', 1],
  ],
  ['null as an element', list, { ids: [id, null] }, '$ids[1] must not be null.', ['projectId', 1]],
  ['one value in place of a list', list, { ids: 'canary' }, `$ids must be ${uuid}`, ['projectId']],
  ['a list in place of one value', list, { page: ['canary'] }, `$page must be ${int}`, ['page']],
  [
    'a text in place of an object',
    create,
    { input: 'canary' },
    '$input must be an object (CreateStudyInput).',
    ['input'],
  ],
  [
    'a list in place of an object',
    create,
    { input: { progress: ['canary'] } },
    '$input.progress must be an object (ProgressInput).',
    ['input', 'progress'],
  ],
  [
    'a field that there is not',
    create,
    { input: { canary_of_input: 1 } },
    '$input has no field "canary_of_input".',
    ['input'],
  ],
  [
    'a field whose name is no identifier',
    create,
    { input: { progress: { 'canary "x".': 1 } } },
    '$input.progress does not fit the type ProgressInput.',
    ['input', 'progress'],
  ],
  [
    'a field whose name is long',
    create,
    { input: { ['canary'.repeat(7)]: 1 } },
    '$input does not fit the type CreateStudyInput.',
    ['input'],
  ],
  [
    'a variable of another name than the argument',
    'mutation ($data: CreateStudyInput!) { createStudy(input: $data) { id } }',
    { data: { projectId: 'canary' } },
    `$data.projectId must be ${uuid}`,
    ['input', 'projectId'],
  ],
  [
    'a variable in a fragment',
    'mutation ($v: UUID) { ...F } fragment F on Mutation { createStudy(input: {}, idempotencyKey: $v) { id } }',
    { v: 7 },
    `$v must be ${uuid}`,
    ['idempotencyKey'],
  ],
  [
    'a variable within an argument',
    'mutation ($total: Int) { createStudy(input: { progress: { total: $total } }) { id } }',
    { total: 'canary' },
    `$total must be ${int}`,
  ],
  [
    'a variable of a directive',
    'query ($c: Boolean!) { studies { page @skip(if: $c) } }',
    { c: 'canary' },
    '$c must be a Boolean: true or false.',
  ],
];

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s', (_, plans) => {
  it.each(rows)(
    'names place and type, and no value: %s',
    async (__, query, variables, message, path) => {
      const { post, calls } = await startTestGateway({ plans });

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
      expect(calls).toEqual([]);
    },
  );
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
