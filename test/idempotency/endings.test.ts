import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { allDaily, everyNth } from '../support/daily.js';
import { toHead } from '../support/faults.js';
import { startHoldingApi } from '../support/held-calls.js';
import { startLedger, type Arrival, type Misbehavior } from '../support/ledger.js';
import { createLateApi, startDeafPort } from '../support/retries.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import {
  createStudy,
  newKey,
  toExtensions,
  useStores,
  withVariables,
  writes,
  type Told,
} from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

interface Row {
  /** Ending of the first call, in the words of the table in docs/idempotency.md. */
  readonly ending: string;
  /** Handles the first call in the Study API. Later calls are answered correctly. */
  readonly first: (arrival: Arrival) => void;
  /** Code and outcome in the response to the first call, or 'a study'. */
  readonly told: string;
}

function answer(status: number, body: unknown = {}, headers: object = {}): Row['first'] {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const answerStudy: Row['first'] = (arrival) => answer(201, arrival.store())(arrival);

const otherInput = { input: { description: 'Else' } };

const json = 'content-type: application/json';
const shown = `{"id":"${wholeStudy.id}",`;
const invalid = { detail: [{ loc: ['body', 'description'], msg: 'too short', type: 'x' }] };

const kept: readonly Row[] = [
  { ending: 'a study', first: answerStudy, told: 'a study' },
  {
    ending: 'a study with a field that breaks the contract',
    first: answer(201, { ...wholeStudy, strategy: ['new'] }),
    told: 'UPSTREAM_CONTRACT APPLIED',
  },
  {
    ending: 'a 2xx that is no JSON object',
    first: answer(200, 'stored'),
    told: 'UPSTREAM_CONTRACT UNKNOWN',
  },
  {
    ending: 'a 2xx that is cut',
    first: ({ socket }) =>
      socket.write(toHead('200 OK', [json, 'content-length: 9'], '{'), () => socket.end()),
    told: 'UPSTREAM_CONTRACT UNKNOWN',
  },
  {
    ending: 'the deadline in the body of a 2xx',
    first: ({ socket }) => void socket.write(toHead('200 OK', [json, 'content-length: 9'], '{')),
    told: 'UPSTREAM_TIMEOUT UNKNOWN',
  },
  {
    ending: 'a 2xx for which there is no room',
    first: answer(201, { id: 'x'.repeat(100_000) }),
    told: 'OVERLOADED APPLIED',
  },
  {
    ending: 'a 2xx that is cut after its id',
    first: ({ socket }) =>
      socket.write(toHead('200 OK', [json, 'content-length: 99'], shown), () => socket.end()),
    told: 'UPSTREAM_CONTRACT APPLIED',
  },
  {
    ending: 'the deadline in the body of a 2xx after its id',
    first: ({ socket }) => void socket.write(toHead('200 OK', [json, 'content-length: 99'], shown)),
    told: 'UPSTREAM_TIMEOUT APPLIED',
  },
  {
    ending: 'a long 2xx that shows its id',
    first: answer(200, { id: wholeStudy.id, more: 'x'.repeat(100_000) }),
    told: 'OVERLOADED APPLIED',
  },
  { ending: 'a 204', first: answer(204, ''), told: 'UPSTREAM_CONTRACT APPLIED' },
  {
    ending: 'a 2xx that shows no study',
    first: answer(200, { success: false }),
    told: 'UPSTREAM_CONTRACT UNKNOWN',
  },
  { ending: '408', first: answer(408), told: 'UPSTREAM_ERROR UNKNOWN' },
  {
    ending: '2xx with a page',
    first: answer(200, 'Log in', { 'content-type': 'text/html' }),
    told: 'UPSTREAM_CONTRACT UNKNOWN',
  },
  {
    ending: 'a lost connection',
    first: ({ socket }) => socket.destroy(),
    told: 'UPSTREAM_UNAVAILABLE UNKNOWN',
  },
  { ending: 'the deadline before the answer', first: () => {}, told: 'UPSTREAM_TIMEOUT UNKNOWN' },
  {
    ending: '303',
    first: answer(303, '', { location: '/studies' }),
    told: 'UPSTREAM_CONTRACT UNKNOWN',
  },
  { ending: '500', first: answer(500), told: 'UPSTREAM_ERROR UNKNOWN' },
  {
    ending: '503 with Retry-After',
    first: answer(503, '', { 'retry-after': '30' }),
    told: 'UPSTREAM_ERROR UNKNOWN',
  },
  { ending: '400', first: answer(400), told: 'BAD_USER_INPUT REJECTED' },
  { ending: '422 with details', first: answer(422, invalid), told: 'BAD_USER_INPUT REJECTED' },
  { ending: '404', first: answer(404), told: 'NOT_FOUND REJECTED' },
  { ending: '409', first: answer(409, { message: 'Archived' }), told: 'CONFLICT REJECTED' },
];

const freed: readonly Row[] = [
  { ending: '401', first: answer(401), told: 'UNAUTHENTICATED REJECTED' },
  { ending: '403', first: answer(403), told: 'FORBIDDEN REJECTED' },
  {
    ending: '429',
    first: answer(429, {}, { 'retry-after': '7' }),
    told: 'RATE_LIMITED REJECTED',
  },
];

function toTold(answer: Told): string {
  const extensions = toExtensions(answer);
  return extensions ? [extensions.code, extensions.outcome].join(' ') : 'a study';
}

function misbehaveOnce(first: Row['first']): Misbehavior {
  let calls = 0;
  return {
    onBody: (arrival) => {
      calls += 1;
      return calls === 1 ? first(arrival) : answerStudy(arrival);
    },
  };
}

const aStudy = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), description: 'Why?' };

describe.each(useStores())('with the keys in $store', ({ store, startPlaces }) => {
  const tried = allDaily(writes, store === 'Redis' ? writes.slice(0, 1) : writes);

  describe.each(tried)('$field', (operation) => {
    it.each(everyNth(2, kept))('repeats $ending without a second call', async ({ first, told }) => {
      const { url, arrived } = await startLedger(misbehaveOnce(first));
      const { here, there } = await startPlaces({
        studyApiUrl: url,
        deadlineMs: 800,
        maxAllAnswersBytes: 10_000,
      });
      const key = newKey();

      const original = await here(operation, key);

      expect(toTold(original)).toBe(told);
      expect([await there(operation, key), await here(operation, key)]).toEqual([
        original,
        original,
      ]);
      expect(arrived).toEqual([operation.request]);
    });

    it.each(freed)('makes the call anew after $ending', async ({ first, told }) => {
      const { url, arrived } = await startLedger(misbehaveOnce(first));
      const { here, there } = await startPlaces({ studyApiUrl: url });
      const key = newKey();

      const original = await here(operation, key);
      const repeat = await there(operation, key);

      expect(toTold(original)).toBe(told);
      expect(repeat).toMatchObject({ data: { [operation.field]: aStudy } });
      expect(await here(operation, key)).toEqual(repeat);
      expect(arrived).toEqual([operation.request, operation.request]);
    });
  });

  it('makes the call anew after a refused connection', async () => {
    const api = await createLateApi();
    const { here, there } = await startPlaces({ studyApiUrl: api.url });
    const key = newKey();

    const original = await here(createStudy, key);
    api.start();

    expect(toTold(original)).toBe('UPSTREAM_UNAVAILABLE NOT_SENT');
    expect(await there(createStudy, key)).toMatchObject({
      data: { createStudy: { id: wholeStudy.id } },
    });
    expect(api.arrived).toHaveLength(1);
  });

  it('frees the key after a deadline that passed before the connection was made', async () => {
    const { url } = await startDeafPort();
    const { here, there } = await startPlaces({
      studyApiUrl: url,
      deadlineMs: 150,
      connectTimeoutMs: 1_000,
    });
    const key = newKey();

    // If the key were kept, the second call would be refused because its input differs.
    const told = [
      await here(createStudy, key),
      await there(withVariables(createStudy, otherInput), key),
    ];

    expect(told.map(toTold)).toEqual(Array(2).fill('UPSTREAM_TIMEOUT NOT_SENT'));
  });

  it('frees the key after a call that found the queue full', async () => {
    const api = await startHoldingApi();
    const { here, there } = await startPlaces({
      studyApiUrl: api.url,
      maxCalls: 1,
      maxQueue: 0,
    });
    const key = newKey();
    const other = here(createStudy, newKey());
    await api.holds(1);

    const original = await here(createStudy, key);
    api.answerNext();
    await other;
    const repeat = there(createStudy, key);
    await api.holds(1);
    api.answerNext();

    expect(toTold(original)).toBe('OVERLOADED NOT_SENT');
    expect(toTold(await repeat)).toBe('a study');
  });

  it('frees the key after a call that found the circuit open', async () => {
    const { url, calls } = await startStudyApi(answerJson({}, 503));
    const { here, there } = await startPlaces({ studyApiUrl: url });
    const key = newKey();
    for (let call = 0; call < 20; call += 1) await here(createStudy, newKey());

    const original = await here(createStudy, key);
    const repeat = await there(withVariables(createStudy, otherInput), key);

    expect(original.errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('circuit breaker is open') }),
    ]);
    expect(['UPSTREAM_UNAVAILABLE NOT_SENT', 'UPSTREAM_ERROR UNKNOWN']).toContain(toTold(repeat));
    expect(calls.length).toBeLessThanOrEqual(21);
  });

  it('answers a repeat as if the Study API had sent the same JSON object again', async () => {
    let body: unknown;
    const { url } = await startStudyApi((response, ...rest) => answerJson(body)(response, ...rest));
    const { here, there } = await startPlaces({ studyApiUrl: url });
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }));

    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...Object.keys(wholeStudy)), value),
        fc.dictionary(fc.string(), value),
        async (broken, solution) => {
          body = { ...wholeStudy, ...broken, solution };
          const key = newKey();

          const original = await here(createStudy, key);
          const repeat = await there(createStudy, key);

          expect(repeat).toEqual(original);
        },
      ),
      { numRuns: 30 },
    );
  });
});
