import { costlyDocuments } from '../features/accepted-documents.fixture.js';
import { variableBombs } from '../features/variable-bombs.fixture.js';
import { abysses, bombs } from '../support/bombs.js';
import { dearPages } from '../support/dear-answers.js';
import { wholeStudy } from '../support/studies.js';

/** A dear request, or a request with a dear answer. */
export interface CostCase {
  readonly kind: 'document' | 'variables' | 'body' | 'answer' | 'refusal';
  readonly what: string;
  /** Body of the request. */
  readonly request: string;
  /** Answer of the Study API. Default: a whole study. */
  readonly answer?: CostAnswer;
}

export interface CostAnswer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

const MIB = 1024 * 1024;
const MAX_BODY = MIB / 4;
const MAX_ANSWER = 4 * MIB - 4_000;
const create = JSON.stringify({ query: 'mutation { createStudy(input: {}) { id } }' });

function fill(text: string, bytes: number): string {
  return text.repeat(bytes / text.length);
}

function toRequest(query: string): string {
  return JSON.stringify({ query });
}

const documents: readonly CostCase[] = [...bombs, ...costlyDocuments].map(([what, query]) => ({
  kind: 'document',
  what,
  request: toRequest(query),
}));

const variables: readonly CostCase[] = variableBombs.map(([what, request]) => ({
  kind: 'variables',
  what,
  request,
}));

const bodies: readonly CostCase[] = [
  ['256 KiB that is no JSON', fill('x', MAX_BODY - 100)],
  ['256 KiB of opening brackets', fill('[', MAX_BODY - 100)],
  ['256 KiB of objects without an end', `[${fill('{"a":1},', MAX_BODY - 100)}`],
  ['256 KiB of white space', `${fill(' ', MAX_BODY - 100)}{}`],
  ['256 KiB of a string without an end', `"${fill(String.raw`\"`, MAX_BODY - 100)}`],
  ['256 KiB of numbers as a batch', `[${fill('1,', MAX_BODY - 100)}1]`],
  ['1,000 operations as a batch', `[${Array.from({ length: 1_000 }, () => create).join()}]`],
  ['256 KiB of one document', toRequest(`{ __typename } #${fill('x', MAX_BODY - 200)}`)],
  [
    '256 KiB of an unknown member',
    `{"query":"{ __typename }","more":"${fill('x', MAX_BODY - 200)}"}`,
  ],
  [
    '256 KiB of extensions',
    `{"query":"{ __typename }","extensions":{"a":"${fill('x', MAX_BODY - 200)}"}}`,
  ],
].map(([what, request]) => ({ kind: 'body', what: what!, request: request! }));

const deep: readonly CostCase[] = abysses
  .filter(([what]) => what.includes('9,900') || what.includes('50 fragments'))
  .map(([what, request]) => ({ kind: 'variables', what, request }));

const answers: readonly CostCase[] = dearPages.map(({ what, query, body }) => ({
  kind: 'answer',
  what,
  request: toRequest(query),
  answer: { status: 200, body },
}));

/** Size of the longest refusal that is read. */
const MAX_REFUSAL = 262_000;
const entry = JSON.stringify({ loc: ['body', 'files', 0], msg: 'x', type: 't' });

function refuse(what: string, body: string, status = 422, type = 'application/json'): CostCase {
  return { kind: 'refusal', what, request: create, answer: { status, body, type } };
}

const refusals: readonly CostCase[] = [
  refuse(
    '5,000 entries of FastAPI',
    `{"detail":[${fill(`${entry},`, MAX_REFUSAL - 200)}${entry}]}`,
  ),
  refuse(
    'one entry with a long message',
    `{"detail":[{"loc":["body"],"msg":"${fill('x', MAX_REFUSAL - 200)}"}]}`,
  ),
  refuse(
    'one entry with a long `loc`',
    `{"detail":[{"loc":[${fill('"a",', MAX_REFUSAL - 200)}"a"],"msg":"m"}]}`,
  ),
  refuse(
    'a pointer of many steps',
    `{"errors":[{"pointer":"${fill('/a', MAX_REFUSAL - 200)}","detail":"m"}]}`,
  ),
  refuse(
    '20,000 named errors',
    `{"errors":{${Array.from({ length: 15_000 }, (_, index) => `"n${index}":"m"`).join()}}}`,
  ),
  refuse('a long text with tags', `{"detail":"${fill('<b>', MAX_REFUSAL - 200)}"}`),
  refuse('a long text of spaces', `{"detail":"${fill(' ', MAX_REFUSAL - 200)}"}`),
  refuse('lists within each other', `{"detail":${'['.repeat(130_000)}${']'.repeat(130_000)}}`),
  refuse('4 MiB of a page', fill('<p>', MAX_ANSWER), 500, 'text/html'),
  refuse('4 MiB of entries', `{"detail":[${fill(`${entry},`, MAX_ANSWER - 200)}${entry}]}`),
  refuse('a 2xx of 4 MiB that is no JSON', fill('x', MAX_ANSWER), 200, 'text/plain'),
  refuse('a 201 cut in a list', `{"id":"${wholeStudy.id}","a":[${fill('1,', 200_000)}`, 201),
  refuse('a 201 of many members that is no JSON', `{${fill('"a":1,', 260_000)}!`, 201),
];

/** Dear requests, and requests with dear answers, of every kind. */
export const costCases: readonly CostCase[] = [
  ...documents,
  ...variables,
  ...deep,
  ...bodies,
  ...answers,
  ...refusals,
];
