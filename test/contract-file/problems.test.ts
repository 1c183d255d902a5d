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

/** What a file says, and its problems without the file's path. */
const mistakes: [name: string, content: unknown, problems: string[]][] = [
  ['a list', [], [`as a whole must be ${member}.`]],
  ['an unknown member', { anwser: {} }, ['/anwser is not known.']],
  ['an unknown member like no other', { colour: 1 }, ['/colour is not known.']],
  [
    'a member of the wrong type',
    { answer: 'snake_case' },
    [`/answer must be ${member}, not "snake_case".`],
  ],
  [
    'an unknown rule',
    { request: { naming: 'snakecase' } },
    [
      '/request/naming must be "camelCase", "snake_case", "kebab-case" or "PascalCase", not "snakecase".',
    ],
  ],
  [
    'a field by the name of the API',
    { answer: { names: { plan_id: 'plan' }, absent: ['research_goal'] } },
    [
      '/answer/names/plan_id is not known.',
      '/answer/absent/0 must be a field of a study other than "id", not "research_goal".',
    ],
  ],
  [
    'a field that no request has',
    { request: { names: { planId: 'plan' } } },
    ['/request/names/planId is not known.'],
  ],
  [
    'an absent id',
    { answer: { absent: ['id', 'files', 'planId'] } },
    ['/answer/absent/0 must be a field of a study other than "id", not "id".'],
  ],
  [
    'a field that an edit lacks',
    { request: { required: { editStudy: ['problems'] } } },
    ['/request/required/editStudy/0 must be a field of the input of editStudy, not "problems".'],
  ],
  [
    'a field that is demanded and not taken',
    { request: { required: { createStudy: ['status'] }, absent: { createStudy: ['status'] } } },
    ['/request/required/createStudy/0 must be a field that is not in "absent", not "status".'],
  ],
  [
    'a name of two fields',
    { answer: { names: { planId: 'status', 'progress.total': 'failed' } } },
    [
      '/answer/names/planId must be a name of its own: "status" is the name of "status" too.',
      '/answer/names/progress.total must be a name of its own: "failed" is the name of "progress.failed" too.',
    ],
  ],
  [
    'a place of a part of a progress',
    { answer: { names: { 'progress.total': '/sums/total' } } },
    ['/answer/names/progress.total must be a name: a part of a progress has no place of its own.'],
  ],
  [
    'a place that would change a prototype',
    { request: { at: '/data/__proto__', id: '/__proto__/id', constants: { '/__proto__/a': 1 } } },
    [
      `/request/at must be ${pointer}, not "/data/__proto__".`,
      `/request/id must be ${pointer}, not "/__proto__/id".`,
      `/request/constants/~1__proto__~1a must be ${pointer}.`,
    ],
  ],
  [
    'a name that would change a prototype',
    { answer: { names: JSON.parse('{"status":"__proto__"}') as object } },
    [`/answer/names/status must be ${place}, not "__proto__".`],
  ],
  [
    'what a person must settle',
    {
      answer: { at: '', naming: '', names: { planId: '' } },
      operations: { studies: { items: '', firstPage: '' }, editStudy: { path: '' } },
      verdicts: { success: { '/ok': '' } },
    },
    [
      `/answer/at is empty, and a person must settle it: it must be ${pointer}.`,
      '/answer/naming is empty, and a person must settle it: it must be "camelCase", "snake_case", "kebab-case" or "PascalCase".',
      `/answer/names/planId is empty, and a person must settle it: it must be ${place}.`,
      `/operations/studies/items is empty, and a person must settle it: it must be ${pointer}.`,
      '/operations/studies/firstPage is empty, and a person must settle it: it must be 0 or 1.',
      `/operations/editStudy/path is empty, and a person must settle it: it must be ${ofOne}.`,
      '/verdicts/success/~1ok is empty, and a person must settle it: it must be one place, with the value there that means yes.',
    ],
  ],
  [
    'several empty names, once each',
    { answer: { names: { planId: '', status: '' } } },
    [
      `/answer/names/planId is empty, and a person must settle it: it must be ${place}.`,
      `/answer/names/status is empty, and a person must settle it: it must be ${place}.`,
    ],
  ],
  [
    'wrong paths',
    {
      operations: {
        study: { path: '/studies' },
        studies: { path: 'studies' },
        createStudy: { path: '/projects/{id}/studies' },
        editStudy: { path: '/a/{b}/c/{d}' },
      },
    },
    [
      `/operations/study/path must be ${ofOne}, not "/studies".`,
      `/operations/studies/path must be ${path}, not "studies".`,
      `/operations/createStudy/path must be ${path}, not "/projects/{id}/studies".`,
      `/operations/editStudy/path must be ${ofOne}, not "/a/{b}/c/{d}".`,
    ],
  ],
  [
    'wrong operations',
    { operations: { study: true, studies: { itms: '/data', firstPage: 2 }, create: {} } },
    [
      '/operations/study must be false, or an object with known members, not true.',
      '/operations/studies/firstPage must be 0 or 1, not 2.',
      '/operations/studies/itms is not known.',
      '/operations/create is not known.',
    ],
  ],
  [
    'wrong verdicts',
    { verdicts: { applied: [302], rejected: [200, '400'], success: { ok: true }, reason: 'text' } },
    [
      '/verdicts/applied/0 must be a status from 200 to 299, not 302.',
      '/verdicts/rejected/0 must be a status from 400 to 599, not 200.',
      '/verdicts/rejected/1 must be a status from 400 to 599, not "400".',
      `/verdicts/success/ok must be ${pointer}.`,
      `/verdicts/reason must be ${pointer}, not "text".`,
    ],
  ],
  [
    'two places that mean yes',
    { verdicts: { success: { '/ok': true, '/done': true } } },
    ['/verdicts/success must be one place, with the value there that means yes.'],
  ],
  [
    'a header that HTTP does not allow',
    { keys: { header: 'Idempotency Key' } },
    [`/keys/header must be ${ownHeader}, not "Idempotency Key".`],
  ],
];

it.each(mistakes)('says what is wrong with %s', (_, content, problems) => {
  const file = writeTemporary(content);

  const lines = problems.map((problem) => `${file} ${problem}`);
  expect(() => readContract(file)).toThrow(new ContractError(lines.join('\n')));
});

const meaningful =
  'authorization Host content-type content-length transfer-encoding expect upgrade connection accept accept-encoding ' +
  'user-agent cookie te trailer keep-alive proxy-authorization traceparent X-Request-ID monkey';

it.each([...meaningful.split(' '), ''])(
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

it('says that a file cannot be read', () => {
  const file = `${writeTemporary({})}.missing`;

  expect(() => readContract(file)).toThrow(`${file} cannot be read: ENOENT`);
});

it('says that a file is not JSON', () => {
  const file = writeTemporary('{ "answer": }');

  expect(() => readContract(file)).toThrow(`${file} is not JSON: Unexpected token '}'`);
});
