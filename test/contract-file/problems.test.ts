import { expect, it } from 'vitest';
import { ContractError, readContract } from '../../packages/contract/src/index.js';
import { writeTemporary } from './contract.fixture.js';

const member = 'an object with known members';
const path = 'a path such as "/studies", without placeholders';
const ofOne = 'a path with one placeholder for the id, such as "/studies/{id}"';
const pointer = 'a JSON Pointer such as "/data"';
const place = 'the name that the API uses, or a JSON Pointer such as "/owner/id"';
const ownHeader =
  'a header of its own, whose last word is "Idempotency", "Key", "Token" or "Id", but not "X-Request-Id"';
const yes = 'one place, with the value there that means yes';
const empty = 'is empty, and a person must settle it: it must be';

/** What a file says, and its problems without the file's path. */
const mistakes: [name: string, content: unknown, problems: string[]][] = [
  ['a list', [], [`as a whole must be ${member}.`]],
  [
    'unknown members',
    { anwser: {}, answer: 'snake_case', operations: { create: {}, studies: { itms: '/data' } } },
    [
      `/answer must be ${member}.`,
      '/operations/studies/itms is not known.',
      '/operations/create is not known.',
      '/anwser is not known.',
    ],
  ],
  [
    'names that are none of the rules or fields',
    {
      request: { naming: 'snakecase', names: { planId: 'plan' } },
      answer: { names: { plan_id: 'plan' }, absent: ['id', 'research_goal'] },
    },
    [
      '/request/naming must be "camelCase" or "snake_case".',
      '/request/names/planId is not known.',
      '/answer/names/plan_id is not known.',
      '/answer/absent/0 must be a field of a study other than "id".',
      '/answer/absent/1 must be a field of a study other than "id".',
    ],
  ],
  [
    'a field that an edit lacks, and a name of two fields',
    {
      request: { required: { editStudy: ['problems'] } },
      answer: { names: { planId: 'status' } },
    },
    [
      '/request/required/editStudy/0 must be a field of the input of editStudy.',
      '/answer/names/planId must be a name of its own: "status" is the name of "status" too.',
    ],
  ],
  [
    'places and names that would change a prototype',
    {
      request: { at: '/data/__proto__', constants: { '/__proto__/a': 'b' } },
      answer: { names: JSON.parse('{"status":"__proto__"}') as object },
    },
    [
      `/request/at must be ${pointer}.`,
      `/request/constants/~1__proto__~1a must be ${pointer}.`,
      `/answer/names/status must be ${place}.`,
    ],
  ],
  [
    'what a person must settle, once each',
    {
      answer: { at: '', names: { planId: '', status: '' } },
      operations: { studies: { firstPage: '' }, editStudy: { path: '' } },
      verdicts: { success: { '/ok': '' } },
    },
    [
      `/answer/at ${empty} ${pointer}.`,
      `/answer/names/planId ${empty} ${place}.`,
      `/answer/names/status ${empty} ${place}.`,
      `/operations/studies/firstPage ${empty} 0 or 1.`,
      `/operations/editStudy/path ${empty} ${ofOne}.`,
      `/verdicts/success/~1ok ${empty} ${yes}.`,
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
    [
      `/operations/study/path must be ${ofOne}.`,
      `/operations/studies/path must be ${path}.`,
      '/operations/studies/firstPage must be 0 or 1.',
      `/operations/createStudy/path must be ${path}.`,
      '/operations/editStudy must be false, or an object with known members.',
    ],
  ],
  [
    'wrong verdicts',
    { verdicts: { applied: [302], rejected: [200, '400'], success: { ok: true, '/ok': true } } },
    [
      '/verdicts/applied/0 must be a status from 200 to 299.',
      '/verdicts/rejected/0 must be a status from 400 to 599.',
      '/verdicts/rejected/1 must be a status from 400 to 599.',
      `/verdicts/success/ok must be ${pointer}.`,
    ],
  ],
  [
    'two places that mean yes',
    { verdicts: { success: { '/ok': true, '/done': true } } },
    [`/verdicts/success must be ${yes}.`],
  ],
];

it.each(mistakes)('names each problem at once: %s', (_, content, problems) => {
  const file = writeTemporary(content);

  const lines = problems.map((problem) => `${file} ${problem}`);
  expect(() => readContract(file)).toThrow(new ContractError(lines.join('\n')));
});

const meaningful =
  'authorization Host content-type content-length transfer-encoding expect upgrade connection accept accept-encoding ' +
  'user-agent cookie te trailer keep-alive proxy-authorization traceparent X-Request-ID monkey';

it.each([...meaningful.split(' '), '', 'Idempotency Key'])(
  'takes no header with a meaning of its own for keys: %s',
  (header) => {
    const file = writeTemporary({ keys: { header } });

    expect(() => readContract(file)).toThrow(`must be ${ownHeader}`);
  },
);

it.each(['Idempotency-Key', 'X-Idempotency-Token', 'paypal-request-id', 'X-Idempotency', 'Key'])(
  'takes %s as the header for keys',
  (header) => {
    expect(readContract(writeTemporary({ keys: { header } })).keys).toEqual({ header });
  },
);

it('says why a file is no contract', () => {
  const file = writeTemporary('{ "answer": }');

  expect(() => readContract(`${file}.missing`)).toThrow(`${file}.missing cannot be read: ENOENT`);
  expect(() => readContract(file)).toThrow(`${file} is not JSON: Unexpected token '}'`);
});
