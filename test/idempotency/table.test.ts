import { describe, expect, it, vi } from 'vitest';
import { everyNth } from '../support/daily.js';
import { cut, toHead } from '../support/faults.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { createLateApi } from '../support/retries.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import {
  createStudy,
  newKey,
  toExtensions,
  toMessageAndExtensions,
  toRunKeyed,
  withVariables,
  writes,
  type Told,
} from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

const { id } = wholeStudy;
const renewed = { authorization: 'Bearer renewed-token' };
const withOther = (operation = createStudy) =>
  withVariables(operation, { input: { description: 'Else' } });

const unsettled = {
  message:
    'What became of the first call with this idempotency key is not known. ' +
    'Whether the change was made is not known: check before repeating it.',
  code: 'UPSTREAM_TIMEOUT',
  outcome: 'UNKNOWN',
  retryable: false,
};
const applied = {
  message:
    'The first call with this idempotency key was applied. Its study cannot be read now. ' +
    'The change was made.',
  code: 'UPSTREAM_CONTRACT',
  outcome: 'APPLIED',
  retryable: false,
};
const reused = {
  message: 'The idempotency key was used before, with other arguments. Nothing was sent.',
  code: 'BAD_USER_INPUT',
  reason: 'IDEMPOTENCY_KEY_REUSED',
  outcome: 'NOT_SENT',
  retryable: false,
};

const json = 'content-type: application/json';
const shown = `{"id":"${id}",`;
const never: Respond = () => {};

/** How the Study API treats the first write. Later ones get a study. */
type Row = readonly [ending: string, first: Respond, told: string];

const freed: readonly Row[] = [
  ['400', answerJson({}, 400), 'BAD_USER_INPUT REJECTED'],
  ['401', answerJson({}, 401), 'UNAUTHENTICATED REJECTED'],
  ['409', answerJson({}, 409), 'CONFLICT REJECTED'],
  ['422', answerJson({ detail: [] }, 422), 'BAD_USER_INPUT REJECTED'],
  ['429', answerJson({}, 429), 'RATE_LIMITED REJECTED'],
];

const appliedWithId: readonly Row[] = [
  ['a study', answerJson(wholeStudy, 201), 'a study'],
  [
    'a study with a field that breaks the contract',
    answerJson({ ...wholeStudy, strategy: ['new'] }, 201),
    'UPSTREAM_CONTRACT APPLIED',
  ],
  [
    'a 2xx that is cut after its id',
    cut(toHead('200 OK', [json, 'content-length: 99'], shown), 'FIN'),
    'UPSTREAM_CONTRACT APPLIED',
  ],
  [
    'the deadline in the body of a 2xx after its id',
    (_, __, { socket }) => void socket.write(toHead('200 OK', [json, 'content-length: 99'], shown)),
    'UPSTREAM_TIMEOUT APPLIED',
  ],
];

const appliedWithoutId: readonly Row[] = [
  ['a 204', (response) => void response.writeHead(204).end(), 'UPSTREAM_CONTRACT APPLIED'],
  ['an empty 201', (response) => void response.writeHead(201).end(), 'UPSTREAM_CONTRACT APPLIED'],
];

const unknown: readonly Row[] = [
  ['a 2xx that shows no study', answerJson({ success: false }), 'UPSTREAM_CONTRACT UNKNOWN'],
  [
    'a 2xx that is cut before its id',
    cut(toHead('200 OK', [json, 'content-length: 9'], '{'), 'FIN'),
    'UPSTREAM_CONTRACT UNKNOWN',
  ],
  ['408', answerJson({}, 408), 'UPSTREAM_ERROR UNKNOWN'],
  ['503', answerJson({}, 503), 'UPSTREAM_ERROR UNKNOWN'],
  ['a lost connection', cut('', 'RST'), 'UPSTREAM_UNAVAILABLE UNKNOWN'],
  ['the deadline before the answer', never, 'UPSTREAM_TIMEOUT UNKNOWN'],
];

function toTold(answer: Told): string {
  const extensions = toExtensions(answer);
  return extensions ? [extensions['code'], extensions['outcome']].join(' ') : 'a study';
}

interface StartOptions extends TestGatewayOptions {
  /** Tokens that can read the study. */
  readonly readers?: readonly string[];
}

/**
 * Starts a gateway with its keys in memory (test/judges/keys has the table for processes with Redis), and a Study API that
 * answers the first write as `first` does, and later ones with a study.
 */
async function start(first: Respond, options: StartOptions = {}) {
  const { readers = ['test-token', 'renewed-token'], ...others } = options;
  let count = 0;
  const gateway = await startTestGateway({
    ...others,
    api: (response, call, request) => {
      const isReader = readers.some((token) => call.headers.authorization === `Bearer ${token}`);
      if (call.method === 'GET')
        return answerJson(isReader ? wholeStudy : {}, isReader ? 200 : 404)(
          response,
          call,
          request,
        );
      count += 1;
      return (count === 1 ? first : answerJson(wholeStudy))(response, call, request);
    },
  });
  const toCalls = () =>
    gateway.calls.map(
      ({ method, headers }) => `${method} ${headers.authorization?.replace('Bearer ', '')}`,
    );
  return { run: toRunKeyed(gateway), toCalls };
}

describe.each(writes)('$field', (operation) => {
  const [method = ''] = operation.request.split(' ');
  const aStudy = { data: { [operation.field]: expect.objectContaining({ id }) } };

  it.each(everyNth(2, freed))('sends a repeat after %s', async (_, first, told) => {
    const { run, toCalls } = await start(first);
    const key = newKey();

    const original = await run(operation, key);

    expect(toTold(original)).toBe(told);
    expect(await run(operation, key, renewed)).toEqual(aStudy);
    expect(await run(operation, key)).toEqual(aStudy);
    expect(toCalls()).toEqual([
      `${method} test-token`,
      `${method} renewed-token`,
      'GET test-token',
    ]);
  });

  it.each(everyNth(2, appliedWithId))(
    'answers a repeat after %s with the study that its own token reads',
    async (_, first, told) => {
      const { run, toCalls } = await start(first, { deadlineMs: 400 });
      const key = newKey();

      const original = await run(operation, key);

      expect(toTold(original)).toBe(told);
      for (const headers of [undefined, renewed])
        expect(await run(operation, key, headers)).toEqual(aStudy);
      expect(toCalls()).toEqual([`${method} test-token`, 'GET test-token', 'GET renewed-token']);
    },
  );

  it('says APPLIED with the id to the same token, and UNKNOWN to another one, that cannot read the study', async () => {
    const { run, toCalls } = await start(answerJson(wholeStudy), { readers: [] });
    const key = newKey();
    await run(operation, key);

    const own = await run(operation, key);
    const other = await run(operation, key, { ...renewed, 'x-study-explain': '1' });

    expect(toMessageAndExtensions(own)).toEqual({ ...applied, studyId: id });
    expect(toMessageAndExtensions(other)).toEqual(unsettled);
    // The read of the study is not explained, as it failed: its path names the study.
    expect(other.extensions).toMatchObject({ explain: [{ method, attempts: 0 }] });
    // Whoever edits a study names its id.
    const secret = operation.field === 'createStudy' ? id : 'test-token';
    expect(JSON.stringify(other)).not.toContain(secret);
    expect(toCalls()).toEqual([`${method} test-token`, 'GET test-token', 'GET renewed-token']);
  });

  it.each(appliedWithoutId)(
    'says APPLIED without an id to the same token, and UNKNOWN to another one, after %s',
    async (_, first, told) => {
      const { run, toCalls } = await start(first);
      const key = newKey();

      const original = await run(operation, key);

      expect(toTold(original)).toBe(told);
      expect(toMessageAndExtensions(await run(operation, key))).toEqual(applied);
      expect(toMessageAndExtensions(await run(operation, key, renewed))).toEqual(unsettled);
      expect(toCalls()).toEqual([`${method} test-token`]);
    },
  );

  it.each(everyNth(2, unknown))('says UNKNOWN to every repeat after %s', async (_, first, told) => {
    const { run, toCalls } = await start(first, { deadlineMs: 400 });
    const key = newKey();

    const original = await run(operation, key);

    expect(toTold(original)).toBe(told);
    for (const headers of [undefined, renewed])
      expect(toMessageAndExtensions(await run(operation, key, headers))).toEqual(unsettled);
    expect(toCalls()).toEqual([`${method} test-token`]);
  });

  it.each([freed[0]!, appliedWithId[0]!, appliedWithoutId[0]!, unknown[0]!])(
    'refuses other arguments with the key after %s, whatever the token',
    async (_, first) => {
      const { run, toCalls } = await start(first);
      const key = newKey();
      await run(operation, key);

      for (const headers of [undefined, renewed])
        expect(toMessageAndExtensions(await run(withOther(operation), key, headers))).toEqual(
          reused,
        );
      expect(toCalls()).toEqual([`${method} test-token`]);
    },
  );
});

it('sends a repeat after a refused connection', async () => {
  const api = await createLateApi();
  const run = toRunKeyed(await startTestGateway({ studyApiUrl: api.url }));
  const key = newKey();

  const original = await run(createStudy, key);
  api.start();

  expect(toTold(original)).toBe('UPSTREAM_UNAVAILABLE NOT_SENT');
  expect(toTold(await run(createStudy, key))).toBe('a study');
  expect(api.arrived).toHaveLength(1);
});
