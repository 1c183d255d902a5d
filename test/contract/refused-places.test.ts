import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;

/** An error of a refused operation, reduced to the places that it names. */
interface Place {
  /** The rest of the document's line at each location. */
  readonly at: readonly string[];
  /** Response name of the root field; `undefined` for a refusal before the execution. */
  readonly root?: unknown;
  /** Path of the refused value in the arguments. */
  readonly value: readonly (string | number)[];
}

function toPlaces(document: string, { errors = [] }: ExecutionResult): Place[] {
  const lines = document.split('\n');
  return errors.map(({ locations = [], path, extensions }) => {
    const fieldErrors = extensions?.['fieldErrors'] as { path: Place['value'] }[];
    expect(fieldErrors).toHaveLength(1);
    return {
      at: locations.map(({ line, column }) => lines[line - 1]!.slice(column - 1)),
      root: path?.join('.'),
      value: fieldErrors[0]!.path,
    };
  });
}

type Row = readonly [
  what: string,
  document: string,
  variables: Record<string, unknown>,
  places: readonly Place[],
];

const literals: readonly Row[] = [
  ['an id', '{ study(id:\n"x") { id } }', {}, [{ at: ['"x") { id } }'], value: ['id'] }]],
  [
    'two ids',
    '{ a: study(id:\n"x")\n{ id } b: study(id:\n7)\n{ id } }',
    {},
    [
      { at: ['"x")'], value: ['id'] },
      { at: ['7)'], value: ['id'] },
    ],
  ],
  [
    'two fields of an input',
    'mutation { createStudy(input: { projectId:\n"x"\n createdAt:\n"y"\n }) { id } }',
    {},
    [
      { at: ['"x"'], value: ['input', 'projectId'] },
      { at: ['"y"'], value: ['input', 'createdAt'] },
    ],
  ],
  [
    'a nested field',
    'mutation { createStudy(input: { progress: { total:\n"x"\n } }) { id } }',
    {},
    [{ at: ['"x"'], value: ['input', 'progress', 'total'] }],
  ],
  [
    'an unknown field, in the object that has it',
    'mutation { createStudy(input: { progress: {\nnothing: 1\n} }) { id } }',
    {},
    [{ at: ['nothing: 1'], value: ['input', 'progress'] }],
  ],
  [
    'an element of a list',
    `{ studies(projectId: ["${id}", "${id}", "${id}",\n"x"\n]) { page } }`,
    {},
    [{ at: ['"x"'], value: ['projectId', 3] }],
  ],
  [
    'one value for a list',
    '{ studies(projectId:\n"x"\n) { page } }',
    {},
    [{ at: ['"x"'], value: ['projectId'] }],
  ],
  [
    'a page and a size',
    '{ studies(page:\n1.5\n size:\n"x"\n) { page } }',
    {},
    [
      { at: ['1.5'], value: ['page'] },
      { at: ['"x"'], value: ['size'] },
    ],
  ],
  [
    'an idempotency key',
    'mutation { createStudy(input: {}, idempotencyKey:\n7\n) { id } }',
    {},
    [{ at: ['7'], value: ['idempotencyKey'] }],
  ],
  [
    'an id in a fragment',
    'mutation { ...F } fragment F on Mutation { ... { editStudy(input: {}, id:\n"x"\n) { id } } }',
    {},
    [{ at: ['"x"'], value: ['id'] }],
  ],
  [
    'the default of a variable for an element',
    `query ($p: UUID! =\n"x"\n) { studies(projectId: ["${id}", $p]) { page } }`,
    {},
    [{ at: ['"x"'], value: ['projectId', 1] }],
  ],
  [
    'a part of the default of a variable',
    'mutation ($data: CreateStudyInput! = { audiences: ["a",\n7\n] }) { createStudy(input: $data) { id } }',
    {},
    [{ at: ['7'], value: ['input', 'audiences', 1] }],
  ],
  [
    'the default of a variable that only a directive uses, by its name',
    'query ($c: Boolean! =\n7\n) { studies { page @skip(if: $c) } }',
    {},
    [{ at: ['7'], value: ['c'] }],
  ],
];

const variables: readonly Row[] = [
  [
    'a list, at its element',
    'query (\n$ids: [UUID!]\n) { studies(projectId:\n$ids\n) { page } }',
    { ids: [id, id, id, 'x'] },
    [{ at: ['$ids: [UUID!]', '$ids'], value: ['projectId', 3] }],
  ],
  [
    'one element',
    `query (\n$one: UUID!\n) { studies(projectId: ["${id}",\n$one\n]) { page } }`,
    { one: 'x' },
    [{ at: ['$one: UUID!', '$one'], value: ['projectId', 1] }],
  ],
  [
    'one value for a list',
    'query (\n$ids: [UUID!]\n) { studies(projectId:\n$ids\n) { page } }',
    { ids: 'x' },
    [{ at: ['$ids: [UUID!]', '$ids'], value: ['projectId'] }],
  ],
  [
    'a page and a size',
    'query (\n$p: Int\n$s: Int\n) { studies(page:\n$p\n size:\n$s\n) { page } }',
    { p: 'x', s: 1.5 },
    [
      { at: ['$p: Int', '$p'], value: ['page'] },
      { at: ['$s: Int', '$s'], value: ['size'] },
    ],
  ],
  [
    'an idempotency key',
    'mutation (\n$key: UUID\n) { createStudy(input: {}, idempotencyKey:\n$key\n) { id } }',
    { key: 7 },
    [{ at: ['$key: UUID', '$key'], value: ['idempotencyKey'] }],
  ],
  [
    'a part of an input',
    'mutation (\n$steps: ProgressInput\n) { createStudy(input: { progress:\n$steps\n}) { id } }',
    { steps: { total: 'x' } },
    [{ at: ['$steps: ProgressInput', '$steps'], value: ['input', 'progress', 'total'] }],
  ],
  [
    'an input whose name is not that of the argument',
    'mutation (\n$id: CreateStudyInput!\n) { createStudy(input:\n$id\n) { id } }',
    { id: { projectId: 'x' } },
    [{ at: ['$id: CreateStudyInput!', '$id'], value: ['input', 'projectId'] }],
  ],
  [
    'a variable that is missing',
    'query (\n$study: UUID!\n) { study(id:\n$study\n) { id } }',
    {},
    [{ at: ['$study: UUID!', '$study'], value: ['id'] }],
  ],
  [
    'variables of two root fields',
    'mutation (\n$a: UUID!\n$b: UUID!\n) { one: editStudy(input: {}, id:\n$a\n) { id } two: editStudy(input: {}, id:\n$b\n) { id } }',
    { a: 'x', b: 'y' },
    [
      { at: ['$a: UUID!', '$a'], value: ['id'] },
      { at: ['$b: UUID!', '$b'], value: ['id'] },
    ],
  ],
  [
    'a variable of several uses, at the first',
    'mutation (\n$text: UUID\n) { ...F two: createStudy(input: { projectId: $text }) { id } }\nfragment F on Mutation { one: createStudy(input: {}, idempotencyKey:\n$text\n) { id } }',
    { text: 7 },
    [{ at: ['$text: UUID', '$text'], value: ['idempotencyKey'] }],
  ],
  [
    'a variable of a name that another operation uses otherwise',
    'query Other($v: UUID!) { study(id: $v) { ...F } }\nmutation Run(\n$v: String!\n) { createStudy(input: { files: ["a",\n$v\n] }) { ...F } } fragment F on Study { id }',
    { v: 7 },
    [{ at: ['$v: String!', '$v'], value: ['input', 'files', 1] }],
  ],
  [
    'a variable that only a directive uses, by its name',
    'query (\n$c: Boolean!\n) { studies { page @skip(if: $c) } }',
    { c: 7 },
    [{ at: ['$c: Boolean!'], value: ['c'] }],
  ],
];

/** Refusals of single root fields while an operation runs. */
const atExecution: readonly Row[] = [
  [
    'pages, sizes and empty lists of projects',
    'query ($zero: Int) {\na: studies(page: $zero) { page }\nb: studies(size: 101) { page }\nc: studies(projectId: []) { page }\n}',
    { zero: 0 },
    [
      { at: ['a: studies(page: $zero) { page }'], root: 'a', value: ['page'] },
      { at: ['b: studies(size: 101) { page }'], root: 'b', value: ['size'] },
      { at: ['c: studies(projectId: []) { page }'], root: 'c', value: ['projectId'] },
    ],
  ],
  [
    'null for a variable with a default',
    `query ($v: UUID = "${id}") { a: study(id: "${id}") { id } b: study(id:\n$v\n) { id } }`,
    { v: null },
    [{ at: ['$v'], root: 'b', value: ['id'] }],
  ],
  [
    'null for an element with a default',
    `query ($v: UUID = "${id}") { a: studies(projectId:\n[$v]\n) { page } }`,
    { v: null },
    [{ at: ['[$v]'], root: 'a', value: ['projectId'] }],
  ],
];

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s a refusal names the place', (_, plans) => {
  it.each([...literals, ...variables, ...atExecution])(
    'of %s',
    async (__, document, variables, places) => {
      const gateway = await startTestGateway({ plans });
      const operationName = document.includes('Run') ? 'Run' : undefined;
      const run = async (): Promise<ExecutionResult> => {
        const response = await gateway.post({ query: document, variables, operationName });
        return (await response.json()) as ExecutionResult;
      };

      // The second run takes the document from the store of plans.
      const results = [await run(), await run()];

      expect(results.map((result) => toPlaces(document, result))).toEqual([places, places]);
    },
  );
});
