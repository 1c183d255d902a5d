import { hash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import {
  createStudy,
  newKey,
  toExtensions,
  toRunKeyed,
  useRedis,
  useStores,
  type RunKeyed,
  type Told,
  toMessageAndExtensions,
} from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

const stores = useStores();
const redis = useRedis();

/** @param facts `retryAfterSeconds`, if it is known when a key expires */
const toRefused = (facts: object) => ({
  data: { createStudy: null },
  errors: [
    {
      message:
        'All places for idempotency keys are taken. When one is free, retryAfterSeconds says, if it is known. Nothing was sent.',
      locations: [{ line: 2, column: 3 }],
      path: ['createStudy'],
      extensions: {
        code: 'OVERLOADED',
        outcome: 'NOT_SENT',
        retryable: true,
        ...facts,
      },
    },
  ],
});
/** A day, in whole seconds, less the time of the test. */
const refused = toRefused({
  retryAfterSeconds: expect.toSatisfy((seconds) => seconds > 86_300 && seconds <= 86_400),
});
const aStudy = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };
const notKept = {
  message:
    'The first call with this idempotency key succeeded, but its answer could not be kept. ' +
    'The change was made.',
  code: 'UPSTREAM_CONTRACT',
  outcome: 'APPLIED',
  retryable: false,
};

it('refuses a key over the maximum number in memory, and serves everything else', async () => {
  const gateway = await startTestGateway({ maxKeys: 2 });
  const runKeyed = toRunKeyed(gateway);
  const [first, second, third] = [newKey(), newKey(), newKey()];
  await runKeyed(createStudy, first);
  await runKeyed(createStudy, second);

  expect(await runKeyed(createStudy, third)).toEqual(refused);
  expect(await runKeyed(createStudy, first)).toEqual(aStudy);
  expect(await runKeyed(createStudy, null)).toEqual(aStudy);
  expect(gateway.calls).toHaveLength(3);
});

it.each(['forward', 'service'] as const)(
  'leaves room in memory for other callers, however many keys one caller has (%s)',
  async (authMode) => {
    const names = ['greedy', 'modest', 'late'];
    const gateway = await startTestGateway({
      maxKeys: 8,
      authMode,
      studyApiToken: 'service-token',
      apiKeys: names.map((name) => ({ name, sha256: hash('sha256', name), mayWrite: true })),
    });
    const runKeyed = toRunKeyed(gateway);
    const createAs = (name: string): ReturnType<RunKeyed> =>
      runKeyed(createStudy, newKey(), { authorization: `Bearer ${name}` });
    const told: Record<string, Told[]> = {};
    const isRefused = (answer: Told): boolean => toExtensions(answer)?.['code'] === 'OVERLOADED';

    for (const name of names) {
      told[name] = [];
      for (let keys = 0; keys < 8; keys += 1) told[name].push(await createAs(name));
    }

    const [greedy = [], modest = [], late = []] = names.map((name) => told[name]);
    expect(greedy.map(isRefused)).toEqual([false, false, false, false, false, true, true, true]);
    expect(modest.map(isRefused)).toEqual([false, false, true, true, true, true, true, true]);
    expect(late.map(isRefused)).toEqual([false, true, true, true, true, true, true, true]);
  },
);

it('accepts new keys of a caller again when keys of that caller are freed', async () => {
  let status = 429;
  const gateway = await startTestGateway({
    maxKeys: 8,
    api: (...args) => answerJson(wholeStudy, status)(...args),
  });
  const runKeyed = toRunKeyed(gateway);
  for (let keys = 0; keys < 20; keys += 1) await runKeyed(createStudy, newKey());
  status = 200;

  for (let keys = 0; keys < 5; keys += 1)
    expect(await runKeyed(createStudy, newKey())).toEqual(aStudy);
  expect(await runKeyed(createStudy, newKey())).toEqual(refused);
});

it('accepts new keys in memory again when keys are freed', async () => {
  let status = 429;
  const gateway = await startTestGateway({
    maxKeys: 1,
    api: (...args) => answerJson(wholeStudy, status)(...args),
  });
  const runKeyed = toRunKeyed(gateway);
  await runKeyed(createStudy, newKey());
  status = 200;

  expect(await runKeyed(createStudy, newKey())).toEqual(aStudy);
});

it('accepts new keys in memory again when keys expire', async () => {
  const gateway = await startTestGateway({
    maxKeys: 1,
    ttlHours: 200 / 3_600_000,
  });
  const runKeyed = toRunKeyed(gateway);
  await runKeyed(createStudy, newKey());

  expect(await runKeyed(createStudy, newKey())).toEqual(toRefused({ retryAfterSeconds: 1 }));
  await expect.poll(() => runKeyed(createStudy, newKey())).toEqual(aStudy);
});

it('keeps outcomes without answers and details when there is no room for them in memory', async () => {
  let [status, body]: [number, object] = [200, wholeStudy];
  const gateway = await startTestGateway({
    maxBytes: 0,
    api: (...args) => answerJson(body, status)(...args),
  });
  const runKeyed = toRunKeyed(gateway);
  const [applied, rejected] = [newKey(), newKey()];
  await runKeyed(createStudy, applied);
  const detail = [{ loc: ['body', 'description'], msg: 'too short' }];
  [status, body] = [422, { detail, message: 'no' }];
  const rejection = await runKeyed(createStudy, rejected);

  expect(toMessageAndExtensions(await runKeyed(createStudy, applied))).toEqual(notKept);
  expect(toExtensions(rejection)).toMatchObject({
    fieldErrors: [{ message: 'too short' }],
    upstreamMessage: 'no',
  });
  const { fieldErrors: _, upstreamMessage: _message, ...extensions } = toExtensions(rejection)!;
  expect(toExtensions(await runKeyed(createStudy, rejected))).toEqual(extensions);
  expect(gateway.calls).toHaveLength(2);
});

describe.each(stores)('with the keys in $store', ({ startPlaces }) => {
  it.each([
    {
      what: 'over 1 MiB',
      answer: JSON.stringify({ ...wholeStudy, description: 'x'.repeat(1_048_576) }),
    },
    {
      what: 'nested too deeply',
      answer: `${JSON.stringify(wholeStudy).slice(0, -1)},"1":2,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    },
  ])('reports APPLIED for a first call whose answer is $what', async ({ answer }) => {
    const { url, calls } = await startStudyApi((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(answer);
    });
    const { here, there } = await startPlaces({ studyApiUrl: url });
    const key = newKey();

    expect(await here(createStudy, key)).toEqual(aStudy);
    expect(toMessageAndExtensions(await there(createStudy, key))).toEqual(notKept);
    expect(calls).toHaveLength(1);
  });
});

it(
  'refuses a key when Redis is full, and serves everything else',
  { tags: ['redis'] },
  async () => {
    const gateway = await startTestGateway({ redisUrl: redis.server.url });
    const runKeyed: RunKeyed = toRunKeyed(gateway);
    const key = newKey();
    await runKeyed(createStudy, key);
    await redis.server.command('CONFIG', 'SET', 'maxmemory', '1');

    expect(await runKeyed(createStudy, newKey())).toEqual(toRefused({}));
    expect(await runKeyed(createStudy, key)).toEqual(aStudy);
    expect(await runKeyed(createStudy, null)).toEqual(aStudy);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        error: 'RestKeyRefusedError',
        cause: expect.stringMatching(/^OOM /),
      }),
    );

    await redis.server.command('CONFIG', 'SET', 'maxmemory', '0');
    expect(await runKeyed(createStudy, newKey())).toEqual(aStudy);
    expect(gateway.calls).toHaveLength(3);
  },
);

it.each([
  { what: 'a success', status: 201, repeat: notKept },
  {
    what: 'a rejection',
    status: 422,
    repeat: { code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN', retryable: false },
  },
])(
  'reports $repeat.outcome for $what that Redis could not store because it was full',
  { tags: ['redis'] },
  async (ending) => {
    const arrival = Promise.withResolvers<() => void>();
    const gateway = await startTestGateway({
      redisUrl: redis.server.url,
      deadlineMs: 500,
      api: (...args) => arrival.resolve(() => answerJson(wholeStudy, ending.status)(...args)),
    });
    const runKeyed = toRunKeyed(gateway);
    const key = newKey();

    const first = runKeyed(createStudy, key);
    const answer = await arrival.promise;
    await redis.server.command('CONFIG', 'SET', 'maxmemory', '1');
    answer();

    expect(await first).toMatchObject(
      ending.status === 201 ? aStudy : { errors: [{ extensions: { outcome: 'REJECTED' } }] },
    );
    const repeats = [await runKeyed(createStudy, key)];
    await redis.server.command('CONFIG', 'SET', 'maxmemory', '0');
    // A gateway that knows the first call only from Redis must answer the same.
    const other = await startTestGateway({ redisUrl: redis.server.url, deadlineMs: 500 });
    repeats.push(await toRunKeyed(other)(createStudy, key));
    for (const repeat of repeats)
      expect(toMessageAndExtensions(repeat)).toMatchObject(ending.repeat);
    expect([...gateway.calls, ...other.calls]).toHaveLength(1);
  },
);
