import { expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import {
  createStudy,
  newKey,
  toExtensions,
  toRunKeyed,
  useRedis,
  type RunKeyed,
} from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

const redis = useRedis();

const refused = {
  data: { createStudy: null },
  errors: [
    {
      message: 'The gateway cannot hold idempotency keys at the moment. Nothing was sent.',
      locations: [{ line: 2, column: 3 }],
      path: ['createStudy'],
      extensions: {
        code: 'OVERLOADED',
        outcome: 'NOT_SENT',
        retryable: true,
      },
    },
  ],
};
const aStudy = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };
it('refuses a key over the maximum number in memory, and serves everything else', async () => {
  const gateway = await startTestGateway({ maxKeys: 2 });
  const runKeyed = toRunKeyed(gateway);
  const [first, second, third] = [newKey(), newKey(), newKey()];
  await runKeyed(createStudy, first);
  await runKeyed(createStudy, second);

  expect(await runKeyed(createStudy, third)).toEqual(refused);
  expect(await runKeyed(createStudy, first)).toEqual(aStudy);
  expect(await runKeyed(createStudy, null)).toEqual(aStudy);
  expect(gateway.calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'POST']);
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
    ttlMs: 1_500,
  });
  const runKeyed = toRunKeyed(gateway);
  await runKeyed(createStudy, newKey());

  expect(await runKeyed(createStudy, newKey())).toEqual(refused);
  await expect.poll(() => runKeyed(createStudy, newKey())).toEqual(aStudy);
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

    expect(await runKeyed(createStudy, newKey())).toEqual(refused);
    expect(await runKeyed(createStudy, key)).toEqual(aStudy);
    expect(await runKeyed(createStudy, null)).toEqual(aStudy);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        error: 'keyRefused',
        cause: expect.stringMatching(/^OOM /),
      }),
    );

    await redis.server.command('CONFIG', 'SET', 'maxmemory', '0');
    expect(await runKeyed(createStudy, newKey())).toEqual(aStudy);
    expect(gateway.calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'POST']);
  },
);

it.each([
  { what: 'a success', status: 201, repeat: aStudy },
  { what: 'a rejection', status: 422, repeat: aStudy },
])(
  'says UNKNOWN after $what that Redis could not record because it was full, and records it when it has room',
  { tags: ['redis'] },
  async ({ status, repeat }) => {
    const arrival = Promise.withResolvers<() => void>();
    let writes = 0;
    const gateway = await startTestGateway({
      redisUrl: redis.server.url,
      deadlineMs: 500,
      api: (...args) => {
        if (args[1].method !== 'GET') writes += 1;
        const answer = () => answerJson(wholeStudy, writes === 1 ? status : 200)(...args);
        if (args[1].method === 'GET' || writes > 1) answer();
        else arrival.resolve(answer);
      },
    });
    const runKeyed = toRunKeyed(gateway);
    const key = newKey();

    const first = runKeyed(createStudy, key);
    const answer = await arrival.promise;
    await redis.server.command('CONFIG', 'SET', 'maxmemory', '1');
    answer();

    expect(await first).toMatchObject(
      status === 201 ? aStudy : { errors: [{ extensions: { outcome: 'REJECTED' } }] },
    );
    expect(toExtensions(await runKeyed(createStudy, key))).toMatchObject({ outcome: 'UNKNOWN' });
    expect(writes).toBe(1);
    await redis.server.command('CONFIG', 'SET', 'maxmemory', '0');
    await expect
      .poll(() => runKeyed(createStudy, key), { interval: 50, timeout: 5_000 })
      .toEqual(repeat);
    expect(writes).toBe(status === 201 ? 1 : 2);
  },
);
