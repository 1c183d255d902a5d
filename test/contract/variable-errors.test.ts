import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';

const uuid = 'A UUID is a string of 36 characters such as "123e4567-e89b-12d3-a456-426614174000".';
const create = 'mutation($input: CreateStudyInput!) { createStudy(input: $input) { id } }';
const renamed = 'mutation($data: CreateStudyInput!) { createStudy(input: $data) { id } }';
const edit =
  'mutation($id: UUID!, $input: EditStudyInput!) { editStudy(id: $id, input: $input) { id } }';
const part = 'mutation($projectId: UUID) { createStudy(input: { projectId: $projectId }) { id } }';

it.each([
  ['a field', create, { input: { projectId: 'x' } }, ['input', 'projectId'], uuid],
  [
    'a variable of another name',
    renamed,
    { data: { projectId: 'x' } },
    ['input', 'projectId'],
    uuid,
  ],
  ['a variable for a field', part, { projectId: 'x' }, ['input', 'projectId'], uuid],
  ['the id', edit, { id: 'x', input: {} }, ['id'], uuid],
  [
    'a nested field',
    create,
    { input: { progress: { total: 1.5 } } },
    ['input', 'progress', 'total'],
    'Int cannot represent non-integer value: 1.5',
  ],
  [
    'an element',
    create,
    { input: { audiences: ['a', 7] } },
    ['input', 'audiences', 1],
    'String cannot represent a non string value: 7',
  ],
  [
    'a field that there is not',
    create,
    { input: { nothing: 1 } },
    ['input'],
    'Field "nothing" is not defined by type "CreateStudyInput".',
  ],
  [
    'a value that looks like the message',
    create,
    { input: { interviewCount: 'x" at "input.status"; no' } },
    ['input', 'interviewCount'],
    'Int cannot represent non-integer value: "x\\" at \\"input.status\\"; no"',
  ],
])(
  'reports the path of %s whose value does not fit',
  async (_, document, variables, path, message) => {
    const { graphql, calls } = await startTestGateway();

    const { errors } = await graphql(document, variables);

    expect(errors?.map(({ extensions }) => extensions)).toEqual([
      {
        code: 'BAD_USER_INPUT',
        outcome: 'NOT_SENT',
        retryable: false,
        requestId: expect.any(String),
        fieldErrors: [{ path, message }],
      },
    ]);
    expect(calls).toEqual([]);
  },
);

it('reports the path of each value that does not fit', async () => {
  const { graphql } = await startTestGateway();

  const { errors } = await graphql(create, { input: { projectId: 'x', solutionId: 'y' } });

  expect(errors?.flatMap(({ extensions }) => extensions?.['fieldErrors'])).toEqual([
    { path: ['input', 'projectId'], message: uuid },
    { path: ['input', 'solutionId'], message: uuid },
  ]);
});
