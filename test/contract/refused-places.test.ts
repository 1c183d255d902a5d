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
  /** Path of the value that the gateway itself refuses, in the arguments. */
  readonly value?: readonly (string | number)[] | undefined;
}

function toPlaces(document: string, { errors = [] }: ExecutionResult): Place[] {
  const lines = document.split('\n');
  return errors.map(({ locations = [], path, extensions }) => {
    const fieldErrors = extensions?.['fieldErrors'] as { path: Place['value'] }[] | undefined;
    return {
      at: locations.map(({ line, column }) => lines[line - 1]!.slice(column - 1)),
      root: path?.join('.'),
      value: fieldErrors?.[0]!.path,
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
  [
    'two fields of an input',
    'mutation { createStudy(input: { projectId:\n"x"\n createdAt:\n"y"\n }) { id } }',
    {},
    [{ at: ['"x"'] }, { at: ['"y"'] }],
  ],
  [
    'an element of a list',
    `{ studies(projectId: ["${id}", "${id}", "${id}",\n"x"\n]) { page } }`,
    {},
    [{ at: ['"x"'] }],
  ],
  [
    'a part of the default of a variable',
    'mutation ($data: CreateStudyInput! = { audiences: ["a",\n7\n] }) { createStudy(input: $data) { id } }',
    {},
    [{ at: ['7'] }],
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
    [{ at: ['$v'], root: 'b' }],
  ],
  [
    'null for an element with a default',
    `query ($v: UUID = "${id}") { a: studies(projectId:\n[$v]\n) { page } }`,
    { v: null },
    [{ at: ['[$v]'], root: 'a' }],
  ],
];

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s a refusal names the place', (_, plans) => {
  it.each([...literals, ...atExecution])('of %s', async (__, document, variables, places) => {
    const gateway = await startTestGateway({ plans });
    const run = async (): Promise<ExecutionResult> => {
      const response = await gateway.post({ query: document, variables });
      return (await response.json()) as ExecutionResult;
    };

    // The second run takes the document from the store of plans.
    const results = [await run(), await run()];

    expect(results.map((result) => toPlaces(document, result))).toEqual([places, places]);
  });
});
