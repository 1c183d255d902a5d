import { describe, expect, it } from 'vitest';
import { everyNth } from '../support/daily.js';
import { cut as answerWith } from '../support/faults.js';
import { startTestGateway } from '../support/gateway.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import {
  askSix,
  id,
  newToken,
  otherId,
  sixWrites,
  toBearer,
  toSixFailures,
  toSixSuccesses,
  useFastApi,
  type Lie,
} from './judge.fixture.js';

const json = { 'content-type': 'application/json' };
const html = '<!doctype html><html><body><script>{"id":"' + id + '"}</script></body></html>';
const study = { id, description: 'Why?' };

/** A 200 with JSON. */
function ok(body: unknown): Lie {
  return { headers: json, body: JSON.stringify(body) };
}

const contract = 'UPSTREAM_CONTRACT';

/** Starts a Study API that answers writes with these bytes and then with `ending`, and has no study to read. */
async function startRawApi(bytes: string, ending: 'FIN' | 'never') {
  const answer = answerWith(bytes, ending);
  const { url, calls } = await startStudyApi((response, call, request) =>
    (call.method === 'GET' ? answerJson({}, 404) : answer)(response, call, request),
  );
  return { url, toArrived: () => calls.map(({ method, url: path }) => `${method} ${path}`) };
}

/** Leaves out what repeats read. */
function toWrites(calls: readonly string[] = []): string[] {
  return calls.filter((call) => !call.startsWith('GET ')).toSorted();
}

describe('a whole 2xx', { tags: ['fastapi'] }, () => {
  const api = useFastApi();

  async function judge(lie: Lie) {
    const token = newToken();
    await api.tell({ [token]: lie });
    const gateway = await startTestGateway({ studyApiUrl: api.url });
    const told = await askSix(gateway, toBearer(token));
    const calls = (await api.see(token))[token]?.calls.map(({ request }) => request);
    return { told, calls: toWrites(calls) };
  }

  const without: readonly (readonly [string, Lie])[] = [
    ['a refusal', ok({ success: false, error: 'quota exceeded' })],
    ['no body', {}],
    ['a job', { ...ok({ status: 'queued' }), status: 202 }],
    ['a page', { headers: { 'content-type': 'text/html' }, body: html }],
    ['a page as JSON', { headers: json, body: html }],
    ['a page and 201', { status: 201, headers: json, body: html }],
    ['an array of studies', ok([study])],
    ['a string', ok(id)],
    ['null', ok(null)],
    ['{}', ok({})],
    ['a refusal and 201', { ...ok({ success: false }), status: 201 }],
    ['an id of null', ok({ ...study, id: null })],
    ['an id that is no UUID', ok({ ...study, id: 'queued' })],
    ['an id that is a number', ok({ ...study, id: 7 })],
    ['an id in an object', ok({ ...study, id: { id } })],
    ['an id without hyphens', ok({ ...study, id: id.replaceAll('-', '') })],
    ['an id before more', ok({ ...study, id: `${id}-1` })],
    ['an id and a line feed', ok({ ...study, id: `${id}\n` })],
    ['an id one level deeper', ok({ data: study })],
    ['an id, then an id of null', { headers: json, body: `{"id":"${id}","id":null}` }],
  ];
  it.each(everyNth(2, without))(
    'without a study is UPSTREAM_CONTRACT, UNKNOWN: %s',
    async (_, lie) => {
      const { told, calls } = await judge(lie);

      const upstreamStatus = lie.status ?? 200;
      expect(told).toEqual(toSixFailures({ code: contract, outcome: 'UNKNOWN', upstreamStatus }));
      expect(calls).toEqual(sixWrites);
    },
  );

  it.each<[string, Lie]>([
    ['201', { status: 201 }],
    ['204', { status: 204 }],
  ])('of %s without a body is APPLIED', async (_, lie) => {
    const { told, calls } = await judge({ ...lie, stores: true });

    const upstreamStatus = lie.status;
    expect(told).toEqual(toSixFailures({ code: contract, outcome: 'APPLIED', upstreamStatus }));
    expect(calls).toEqual(sixWrites);
  });

  it.each<[string, Lie]>([
    ['200', ok(study)],
    ['201', { ...ok(study), status: 201 }],
    ['202', { ...ok(study), status: 202 }],
    ['of no type', { body: JSON.stringify(study) }],
    ['after much else', ok({ success: true, data: { id: otherId }, description: 'Why?', id })],
  ])('with a study is a success: %s', async (_, lie) => {
    const { told, calls } = await judge({ ...lie, stores: true });

    expect(told).toEqual(toSixSuccesses(study));
    expect(calls).toEqual(sixWrites);
  });

  it.each([
    ['first', { id, description: 'x'.repeat(2_000) }, { outcome: 'APPLIED', studyId: id }],
    ['last', { description: 'x'.repeat(2_000), id }, { outcome: 'UNKNOWN' }],
  ])('that is too long is told by what it shows: the id is its %s', async (_, body, outcome) => {
    const token = newToken();
    await api.tell({ [token]: { ...ok(body), stores: true } });
    const gateway = await startTestGateway({
      studyApiUrl: api.url,
      maxAnswerBytes: 1_024,
    });

    const told = await askSix(gateway, toBearer(token));

    expect(told).toEqual(toSixFailures({ code: contract, upstreamStatus: 200, ...outcome }));
  });
});

/** Returns the bytes of a response whose `content-length` is longer than its body, which ends with FIN. */
function cut(body: string, status = '200 OK', type = 'application/json'): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: 9999\r\n\r\n${body}`;
}

/** Returns the bytes of a response whose body ends with the connection. */
function untilFin(body: string, status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${body}`;
}

/** Returns the bytes of a response in chunks, with `end` in place of the last chunk. */
function chunked(chunks: readonly string[], end = ''): string {
  const head =
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  return head + chunks.map((one) => `${one.length.toString(16)}\r\n${one}\r\n`).join('') + end;
}

const shown = `{"id":"${id}","description":"Wh`;
const created = '201 Created';

describe('a 2xx that is cut', () => {
  async function judge(bytes: string) {
    const api = await startRawApi(bytes, 'FIN');
    const gateway = await startTestGateway({ studyApiUrl: api.url });
    return { told: await askSix(gateway), calls: toWrites(api.toArrived()) };
  }

  it.each([
    ['in the next field', cut(shown)],
    ['after white space', cut(`\r\n { "id" :\t"${id}" , "description": "Wh`)],
    ['under 201', cut(shown, created)],
    ['after ids of others', cut(`{"problemsObj":[{"id":"${otherId}"}],"id":"${id}","a":1`)],
    ['after braces in a text', cut(`{"description":"}{[\\"","id":"${id}","a":[{`)],
    ['in chunks that divide the id', chunked([shown.slice(0, 20), shown.slice(20)])],
    ['by a chunk size that is none', chunked([shown], 'zz\r\n')],
    ['where its end is that of the connection', untilFin(shown)],
  ])('after its id is APPLIED, with the id: %s', async (_, bytes) => {
    const { told, calls } = await judge(bytes);

    const upstreamStatus = Number(bytes.slice(9, 12));
    expect(told).toEqual(
      toSixFailures({ code: contract, outcome: 'APPLIED', upstreamStatus, studyId: id }),
    );
    expect(calls).toEqual(sixWrites);
  });

  it.each([
    ['before the name of the id', cut('{"description":"Wh', created)],
    ['after its first character', cut('{', created)],
  ])('before its id is APPLIED under 201: %s', async (_, bytes) => {
    const { told, calls } = await judge(bytes);

    expect(told).toEqual(
      toSixFailures({ code: contract, outcome: 'APPLIED', upstreamStatus: 201 }),
    );
    expect(calls).toEqual(sixWrites);
  });

  const unshown = [
    ['after an object has begun', cut('{')],
    ['before the id', cut('{"description":"Wh')],
    ['in the id', cut(shown.slice(0, 24))],
    ['after an id one level deeper', cut(`{"data":{"id":"${id}","description":"Wh`)],
    ['after an object with an id', cut(`{"error":{"id":"${id}"},"message":"No`)],
    ['after an id in a text', cut(`{"error":"no \\"id\\":\\"${id}\\",","a":1`)],
    ['after an id of null', cut('{"id":null,"error":"no quota')],
    ['in an array under 201', cut(`[{"id":"${id}"},`, created)],
    ['in a page as JSON', cut(html.slice(0, 80))],
    ['in a page that has the type of a page, under 201', cut('<html>', created, 'text/html')],
    ['in chunks', chunked(['{"descr', 'iption":"Wh'])],
    ['where its end is that of the connection', untilFin('{"description":"Wh')],
    ['where its end is that of the connection, under 201', untilFin('{"a":1,"b":2', created)],
    ['by a length that is too short', cut(shown).replace('9999', '20')],
  ] as const;
  it.each(everyNth(2, unshown))(
    'and shows no id is UPSTREAM_CONTRACT, UNKNOWN: %s',
    async (_, bytes) => {
      const { told, calls } = await judge(bytes);

      const upstreamStatus = Number(bytes.slice(9, 12));
      expect(told).toEqual(toSixFailures({ code: contract, outcome: 'UNKNOWN', upstreamStatus }));
      expect(calls).toEqual(sixWrites);
    },
  );

  it.each([
    ['two lengths', 'content-length: 3\r\ncontent-length: 9'],
    ['a length and chunks', 'content-length: 9\r\ntransfer-encoding: chunked'],
    ['a length that is none', 'content-length: nine'],
  ])('with headers that contradict each other is UNKNOWN: %s', async (_, lines) => {
    const { told, calls } = await judge(`HTTP/1.1 200 OK\r\n${lines}\r\n\r\n${shown}`);

    const code = expect.stringMatching(/^UPSTREAM_/);
    expect(told).toMatchObject(toSixFailures({ code, outcome: 'UNKNOWN' }));
    expect(calls).toEqual(sixWrites);
  });
});

describe('a 2xx that stops before its end', () => {
  it.each([
    ['after its id is APPLIED', cut(shown), { outcome: 'APPLIED', studyId: id }],
    ['before its id is UNKNOWN', cut('{"description":"Wh'), { outcome: 'UNKNOWN' }],
    ['after the headers is UNKNOWN', cut(''), { outcome: 'UNKNOWN' }],
    ['before its id, under 201, is APPLIED', cut('{"d', created), { outcome: 'APPLIED' }],
    ['in a page, under 201, is UNKNOWN', cut('<html>', created), { outcome: 'UNKNOWN' }],
  ])('%s', async (_, bytes, outcome) => {
    const api = await startRawApi(bytes, 'never');
    const gateway = await startTestGateway({ studyApiUrl: api.url, deadlineMs: 400 });

    const told = await askSix(gateway);

    const code = expect.stringMatching(/^UPSTREAM_(TIMEOUT|CONTRACT)$/);
    const upstreamStatus = Number(bytes.slice(9, 12));
    expect(told).toEqual(toSixFailures({ code, upstreamStatus, ...outcome }));
    expect(toWrites(api.toArrived())).toEqual(sixWrites);
  });
});
