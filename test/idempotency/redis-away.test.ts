// @module-tag redis

import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectRedis } from '../../src/redis/connection.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { createStudy, newKey, toRunKeyed, type Told } from '../support/keyed.js';
import { createRedisServer, toRedisState, type RedisServer } from '../support/redis.js';

vi.setConfig({ testTimeout: 20_000 });

const aStudy = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };

function isRefused({ data, errors }: Told): boolean {
  const { code, outcome, retryable } = errors?.[0]?.extensions ?? {};
  return (
    data.createStudy === null &&
    code === 'OVERLOADED' &&
    outcome === 'NOT_SENT' &&
    retryable === true
  );
}

async function createServer(password?: string): Promise<RedisServer> {
  const server = await createRedisServer(password);
  onTestFinished(server.remove);
  return server;
}

async function start({ url }: RedisServer, options: TestGatewayOptions = {}) {
  const gateway = await startTestGateway({ redisUrl: url, ...options });
  return { gateway, runKeyed: toRunKeyed(gateway), becomes: becomes(gateway) };
}

/** Returns a function that waits until the log reports this state of Redis. */
function becomes(gateway: TestGateway): (redis: string) => Promise<void> {
  return async (redis) => {
    const options = { interval: 5, timeout: 10_000 };
    await expect.poll(() => toRedisState(gateway), options).toBe(redis);
  };
}

it('starts without Redis, refuses keys at once until Redis is available, and serves everything else', async () => {
  const server = await createServer();
  // A call that waited for Redis would not end within the time of the test.
  const { gateway, runKeyed, becomes } = await start(server, { deadlineMs: 60_000 });
  const key = newKey();

  await becomes('away');
  expect(isRefused(await runKeyed(createStudy, key))).toBe(true);
  expect(await runKeyed(createStudy, null)).toEqual(aStudy);
  expect(await gateway.graphql(`{ study(id: "${wholeStudy.id}") { id } }`)).toEqual({
    data: { study: { id: wholeStudy.id } },
  });

  await server.start();
  await becomes('ready');
  expect(await runKeyed(createStudy, key)).toEqual(aStudy);
  expect(gateway.calls).toHaveLength(3);
});

it('never logs the password of Redis', async () => {
  const password = 'kept-to-itself';
  const server = await createServer(password);
  const { gateway, runKeyed, becomes } = await start(server);
  const refusal = await runKeyed(createStudy, newKey());
  await server.start();
  await becomes('ready');
  const wrong = new URL(server.url);
  wrong.password = `${password}-wrong`;
  const { gateway: outside, runKeyed: runOutside } = await start(server, { redisUrl: wrong });

  const told = [refusal, await runOutside(createStudy, newKey()), gateway.log, outside.log];

  expect(isRefused(refusal)).toBe(true);
  expect(outside.log).toContainEqual(
    expect.objectContaining({ msg: 'redis is away', cause: expect.stringContaining('WRONGPASS') }),
  );
  expect(JSON.stringify(told)).not.toContain(password);
});

it('does not take a pause of the own process for a silent Redis', async () => {
  const server = await createServer();
  await server.start();
  const redis = await connectRedis(server.url, pino({ enabled: false }));
  onTestFinished(() => redis.close());

  const reply = redis.eval('return KEYS[1]', { keys: ['a'], arguments: [] });
  // The command leaves at the end of this turn.
  await setImmediate();
  for (const end = performance.now() + 700; performance.now() < end;);

  expect(await reply).toBe('a');
  expect(redis.state).toBe('ready');
});
