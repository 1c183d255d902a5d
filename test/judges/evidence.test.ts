import { randomUUID } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { everyNth } from '../support/daily.js';
import { cut } from '../support/faults.js';
import { startTestGateway } from '../support/gateway.js';
import { toLedger } from '../support/operations.js';
import { answerJson, startStudyApi } from '../support/study-api.js';

const id = '5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50';
const otherId = '77777777-7777-4777-8777-777777777777';
const study = { id, description: 'Why?' };
const html = `<!doctype html><html><body><script>{"id":"${id}"}</script></body></html>`;
const MAX_ANSWER_BYTES = 4_096;
const long = 'x'.repeat(MAX_ANSWER_BYTES);

/** What an answer with 2xx proves: the study, that the write was made, with its id or without, or nothing. More cuts, and answers that stop, are in test/write/outcomes.test.ts. */
const words = {
  study: 'a study',
  id: `APPLIED ${id}`,
  made: 'APPLIED',
  nothing: 'UNKNOWN',
} as const;
type Proof = keyof typeof words;
type Row = readonly [what: string, bytes: string];

/** Returns the bytes of a whole response; each character is one byte. */
function whole(body: string, status = '200 OK', type = 'application/json', more = ''): string {
  const head = `content-type: ${type}\r\n${more}content-length: ${body.length}`;
  return `HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`;
}

function json(body: unknown, status?: string): string {
  return whole(JSON.stringify(body), status);
}

/** Returns the bytes of a response whose `content-length` is longer than its body. */
function begun(body: string, status = '200 OK', type = 'application/json'): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: 9999\r\n\r\n${body}`;
}

/** Returns the bytes of a response whose body ends with the connection. */
function untilFin(body: string, status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${body}`;
}

/** Returns the bytes of a response in chunks, with `end` in place of the last chunk. */
function chunked(chunks: readonly string[], end = ''): string {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  return head + chunks.map((one) => `${one.length.toString(16)}\r\n${one}\r\n`).join('') + end;
}

const created = '201 Created';
const shown = `{"id":"${id}","description":"Wh`;

const wholes: Readonly<Record<Proof, readonly Row[]>> = {
  study: [
    ['JSON', json(study)],
    ['201', json(study, created)],
    ['202', json(study, '202 Accepted')],
    ['the type of a page', whole(JSON.stringify(study), '200 OK', 'text/html')],
    ['a byte order mark before it', whole(`\xef\xbb\xbf${JSON.stringify(study)}`)],
    [
      'gzip as its name',
      whole(JSON.stringify(study), '200 OK', 'a/b', 'content-encoding: gzip\r\n'),
    ],
    ['much before its id', json({ success: true, data: { id: otherId }, description: 'Why?', id })],
  ],
  id: [
    ['NaN, as of Python', whole(`{"id":"${id}","more":NaN}`)],
    ['bytes that are not UTF-8', whole(`{"id":"${id}","more":"\xff"}`)],
    ['more than the limit after its id', json({ id, description: long })],
  ],
  made: [
    ['201 without a body', whole('', created)],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ],
  nothing: [
    ['a refusal', json({ success: false, error: 'quota exceeded' })],
    ['no body', whole('')],
    ['a job', json({ status: 'queued' }, '202 Accepted')],
    ['a page', whole(html, '200 OK', 'text/html')],
    ['a page as JSON', whole(html)],
    ['a page and 201', whole(html, created)],
    ['a page over the limit', whole(`<p>${long}`, '200 OK', 'text/html')],
    ['an array of studies', json([study])],
    ['a string', json(id)],
    ['null', json(null)],
    ['{}', json({})],
    ['a refusal and 201', json({ success: false }, created)],
    ['an id of null', json({ ...study, id: null })],
    ['an id that is no UUID', json({ ...study, id: 'queued' })],
    ['an id that is a number', json({ ...study, id: 7 })],
    ['an id in an object', json({ ...study, id: { id } })],
    ['an id without hyphens', json({ ...study, id: id.replaceAll('-', '') })],
    ['an id before more', json({ ...study, id: `${id}-1` })],
    ['an id and a line feed', json({ ...study, id: `${id}\n` })],
    ['an id one level deeper', json({ data: study })],
    ['an id, then an id of null', whole(`{"id":"${id}","id":null}`)],
    ['more than the limit before its id', json({ description: long, id })],
    ['bytes that are gzip', whole('\x1f\x8b\x08', '200 OK', 'a/b', 'content-encoding: gzip\r\n')],
  ],
};

const cuts: Readonly<Record<Exclude<Proof, 'study'>, readonly Row[]>> = {
  id: [
    ['after white space', begun(`\r\n { "id" :\t"${id}" , "description": "Wh`)],
    ['under 201', begun(shown, created)],
    ['after ids of others', begun(`{"problemsObj":[{"id":"${otherId}"}],"id":"${id}","a":1`)],
    ['after braces in a text', begun(`{"description":"}{[\\"","id":"${id}","a":[{`)],
    ['in chunks that divide the id', chunked([shown.slice(0, 20), shown.slice(20)])],
    ['by a chunk size that is none', chunked([shown], 'zz\r\n')],
    ['where its end is that of the connection', untilFin(shown)],
  ],
  made: [['after its first character, under 201', begun('{', created)]],
  nothing: [
    ['in the id', begun(shown.slice(0, 24))],
    ['after an id one level deeper', begun(`{"data":{"id":"${id}","description":"Wh`)],
    ['after an object with an id', begun(`{"error":{"id":"${id}"},"message":"No`)],
    ['after an id in a text', begun(`{"error":"no \\"id\\":\\"${id}\\",","a":1`)],
    ['in an array under 201', begun(`[{"id":"${id}"},`, created)],
    ['in a page as JSON', begun(html.slice(0, 80))],
    ['where its end is that of the connection', untilFin('{"description":"Wh')],
    ['where its end is that of the connection, under 201', untilFin('{"a":1,"b":2', created)],
    ['by a length that is too short', begun(shown).replace('9999', '20')],
    ['by two lengths', begun(shown).replace('9999', '3\r\ncontent-length: 9')],
    ['by a length and chunks', begun(shown).replace('9999', '9\r\ntransfer-encoding: chunked')],
    ['by a length that is none', begun(shown).replace('9999', 'nine')],
  ],
};

/** Returns what a response says of its write: its outcome and the id of the error, or that it has the study. */
function toWord({ data, errors }: ExecutionResult): string {
  if (!errors) return JSON.stringify(data).includes(study.description) ? words.study : 'no study';
  expect(Object.values(data ?? {})).toEqual([null]);
  const [{ outcome, studyId, retryable, code }] = errors.map(({ extensions }) => extensions) as [
    Record<string, unknown>,
  ];
  expect({ retryable, code }).toEqual({
    retryable: false,
    code: expect.stringMatching(/^UPSTREAM_/),
  });
  return [outcome, ...(studyId === undefined ? [] : [studyId])].join(' ');
}

/** Returns what is said of a create with a key, of its repeat, and of an edit, all answered with `bytes`. */
async function ask(bytes: string, proof: Proof) {
  const answer = cut(Buffer.from(bytes, 'latin1'), 'FIN');
  const api = await startStudyApi((response, call, request) =>
    (call.method === 'GET' && proof !== 'study' ? answerJson({}, 404) : answer)(
      response,
      call,
      request,
    ),
  );
  const { graphql } = await startTestGateway({
    studyApiUrl: api.url,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  const input = 'input: { description: "Why?" }';
  const create = `mutation { createStudy(${input}, idempotencyKey: "${randomUUID()}") { description } }`;
  const edit = `mutation { editStudy(id: "${id}", ${input}) { id description } }`;
  const told: string[] = [];
  for (const document of [create, create, edit]) told.push(toWord(await graphql(document)));
  return { told, writes: toLedger(api).filter((call) => !call.startsWith('GET ')) };
}

const writes = ['POST /studies', `PATCH /studies/${id}`];

function toRows(table: Readonly<Partial<Record<Proof, readonly Row[]>>>) {
  return Object.entries(table).flatMap(([proof, rows]) =>
    everyNth(proof === 'nothing' ? 2 : 1, rows).map(
      ([what, bytes]) => [proof as Proof, what, bytes] as const,
    ),
  );
}

describe.each([
  ['a whole 2xx', toRows(wholes)],
  ['a 2xx that is cut', toRows(cuts)],
] as const)('%s', (_, rows) => {
  it.each(rows)('proves %s: %s', async (proof, __, bytes) => {
    const told = Array(3).fill(words[proof]);

    expect(await ask(bytes, proof)).toEqual({ told, writes });
  });
});
