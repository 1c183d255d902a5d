import { expect, it } from 'vitest';
import type { CreateStudyInput, EditStudyInput } from 'study-gateway-client';
import { createStudySchema, editStudySchema } from 'study-gateway-client/forms';
import { createStudy, editStudy } from '../support/inputs.js';
import { startTestGateway } from '../support/gateway.js';

const uuid = '123e4567-e89b-12d3-a456-426614174000';

/** Inputs with what is wrong: the paths of the values that neither the form nor the gateway accepts. */
const inputs: readonly [input: object, ...wrong: string[]][] = [
  [{}],
  [{ projectId: uuid, createdAt: '2026-03-01T09:30:00.123456+01:00', progress: { total: 3 } }],
  [{ projectId: null, audiences: null, progress: null, interviewCount: null, createdAt: null }],
  [{ projectId: uuid.toUpperCase() }],
  [{ projectId: `{${uuid}}` }, 'projectId'],
  [{ projectId: '' }, 'projectId'],
  [{ projectId: 'X', createdAt: 'yesterday' }, 'projectId', 'createdAt'],
  [{ createdAt: '2026-03-01T09:30:00' }],
  [{ createdAt: '2024-02-29t09:30:00z' }],
  [{ createdAt: '0096-02-29T00:00:00Z' }],
  [{ createdAt: '2023-02-29T09:30:00Z' }, 'createdAt'],
  [{ createdAt: '2026-04-31T09:30:00Z' }, 'createdAt'],
  [{ createdAt: '2026-03-01' }, 'createdAt'],
  [{ createdAt: '2026-03-01T24:00:00Z' }, 'createdAt'],
  [{ interviewCount: 2 ** 31 }, 'interviewCount'],
  [{ interviewCount: 1.5 }, 'interviewCount'],
  [{ interviewCount: '12' }, 'interviewCount'],
  [{ progress: { total: -1, failed: 0.5 } }, 'progress.failed'],
  [{ audiences: ['All', null] }, 'audiences.1'],
  [{ bookmarked: 'yes' }, 'bookmarked'],
  [{ description: 3 }, 'description'],
];

const operations = [
  { ...createStudy, schema: createStudySchema },
  { ...editStudy, schema: editStudySchema },
];

it.for(operations)('refuses of $inputType what the gateway refuses', async (operation) => {
  const { graphql } = await startTestGateway();
  const document = operation.toDocument('$input', `($input: ${operation.inputType}!)`);
  for (const [input, ...wrong] of inputs) {
    const result = operation.schema['~standard'].validate(input);
    const { errors = [] } = await graphql(document, { input });

    const { issues = [] } = await result;
    const known = errors.flatMap(({ extensions }) => extensions?.['fieldErrors'] ?? []);
    const refused = (known as { path: string[] }[]).map(({ path }) => path.slice(1));
    const toNames = (paths: readonly (readonly unknown[] | undefined)[]) =>
      paths.map((path) => path?.map(String).join('.') ?? '').toSorted();
    expect([input, toNames(issues.map(({ path }) => path))]).toEqual([input, wrong.toSorted()]);
    expect([input, toNames(refused)]).toEqual([input, wrong.toSorted()]);
  }
});

it('takes the types of the inputs', () => {
  const create = (input: CreateStudyInput) => createStudySchema.parse(input);
  const edit = (input: EditStudyInput): EditStudyInput => editStudySchema.parse(input);

  expect(create({ problems: ['It asks'] })).toEqual({ problems: ['It asks'] });
  expect(() => edit({ problems: ['It asks'] } as EditStudyInput)).toThrow('problems');
});
