import { expect, it } from 'vitest';
import { ContractError, readContract } from '../../packages/contract/src/index.js';
import { writeTemporary } from './contract.fixture.js';

/** Returns the problems of a file, without its path. */
function findProblems(content: unknown): string[] {
  const file = writeTemporary(content);
  try {
    readContract(file);
    return [];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.message.split('\n').map((line) => line.replace(`${file} `, ''));
  }
}

const place =
  'Invalid input: expected the name that the API uses, or a JSON Pointer such as "/a/b"';

/** What a file says, and how its problems begin. */
const mistakes: [name: string, content: unknown, problems: string[]][] = [
  ['a list', [], ['as a whole: Invalid input: expected object']],
  [
    'unknown members',
    { anwser: {}, answer: 'snake_case', operations: { create: {}, studies: { itms: '/data' } } },
    [
      '/answer: Invalid input: expected object',
      '/operations/studies: Unrecognized key: "itms"',
      '/operations: Unrecognized key: "create"',
      'as a whole: Unrecognized key: "anwser"',
    ],
  ],
  [
    'names that are none of the rules or fields',
    {
      request: { naming: 'snakecase', names: { planId: 'plan' } },
      answer: { names: { plan_id: 'plan' }, absent: ['id', 'research_goal'] },
    },
    [
      '/request/naming: Invalid option: expected one of "camelCase"|"snake_case"',
      '/request/names: Unrecognized key: "planId"',
      '/answer/names: Unrecognized key: "plan_id"',
      '/answer/absent/0: Invalid option: expected one of "description"|',
      '/answer/absent/1: Invalid option',
    ],
  ],
  [
    'a field that an edit lacks, and a name of two fields',
    {
      request: { required: { editStudy: ['problems'] } },
      answer: { names: { planId: 'status' } },
    },
    ['/request/required/editStudy/0: ', '/answer: Two fields have the name "status"'],
  ],
  [
    'what a person must settle, once each',
    {
      answer: { at: '', names: { planId: '', status: '' } },
      operations: { studies: { firstPage: '' }, editStudy: { path: '' } },
      verdicts: { success: { '/ok': '' } },
    },
    [
      '/answer/at: Invalid input: expected a JSON Pointer such as "/data"',
      `/answer/names/planId: ${place}`,
      `/answer/names/status: ${place}`,
      '/operations/studies/firstPage: Invalid option: expected one of 0|1',
      '/operations/editStudy/path: Invalid input: expected a path with one placeholder',
      '/verdicts/success/~1ok: ',
    ],
  ],
  [
    'wrong operations and paths',
    {
      operations: {
        study: { path: '/studies' },
        studies: { path: 'studies', firstPage: 2 },
        createStudy: { path: '/projects/{id}/studies' },
        editStudy: true,
      },
    },
    ['study/path', 'studies/path', 'studies/firstPage', 'createStudy/path', 'editStudy'].map(
      (name) => `/operations/${name}: Invalid `,
    ),
  ],
  [
    'wrong verdicts',
    { verdicts: { applied: [302], rejected: [200, '400'], success: { ok: true, '/ok': true } } },
    ['applied/0', 'rejected/0', 'rejected/1', 'success/ok'].map((name) => `/verdicts/${name}: `),
  ],
  [
    'a header with which a write would lose its token',
    { keys: { header: 'Authorization' } },
    ['/keys/header: Invalid input: expected a header whose last word is'],
  ],
  [
    'two places that mean yes',
    { verdicts: { success: { '/ok': true, '/done': true } } },
    ['/verdicts/success: Invalid input: expected one place'],
  ],
];

it.each(mistakes)('names each problem at once: %s', (_, content, problems) => {
  const found = findProblems(content);

  const begins = found.map((problem, index) => problem.slice(0, problems[index]?.length));
  expect(begins).toEqual(problems);
});

it('says why a file cannot be read', () => {
  const file = writeTemporary('{ "answer": }');

  expect(() => readContract(`${file}.missing`)).toThrow(`${file}.missing cannot be read as JSON: `);
  expect(() => readContract(`${file}.missing`)).toThrow('ENOENT');
  expect(() => readContract(file)).toThrow(`${file} cannot be read as JSON: SyntaxError`);
});
