// @module-tag redis

import { expect, it, onTestFinished, vi } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { createStudy, newKey, toRunKeyed, type Told } from '../support/keyed.js';
import { createRedisServer, type RedisServer } from '../support/redis.js';

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

async function startServer(): Promise<RedisServer> {
  const server = await createServer();
  await server.start();
  return server;
}

async function start({ url }: RedisServer, options: TestGatewayOptions = {}) {
  const gateway = await startTestGateway({ redisUrl: url, ...options });
  return { gateway, runKeyed: toRunKeyed(gateway), becomes: becomes(gateway) };
}

/** Returns a function that waits until `/health/ready` reports this state of Redis. */
function becomes({ url }: TestGateway): (redis: string) => Promise<void> {
  return async (redis) => {
    await expect
      .poll(async () => (await fetch(`${url}/health/ready`)).json(), {
        interval: 5,
        timeout: 10_000,
      })
      .toMatchObject({ studyApi: { circuit: 'closed' }, redis });
  };
}

it('starts without Redis, refuses keys at once until Redis is available, and serves everything else', async () => {
  const server = await createServer();
  const { gateway, runKeyed, becomes } = await start(server);
  const key = newKey();

  await becomes('away');
  const startedAt = performance.now();
  expect(isRefused(await runKeyed(createStudy, key))).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(400);
  expect(await runKeyed(createStudy, null)).toEqual(aStudy);
  expect(await gateway.graphql(`{ study(id: "${wholeStudy.id}") { id } }`)).toEqual({
    data: { study: { id: wholeStudy.id } },
  });

  await server.start();
  await becomes('ready');
  expect(await runKeyed(createStudy, key)).toEqual(aStudy);
  expect(gateway.calls).toHaveLength(3);
});

it('still knows earlier keys when Redis comes back', async () => {
  const server = await startServer();
  const { gateway, runKeyed, becomes } = await start(server);
  const key = newKey();
  await runKeyed(createStudy, key);

  await server.stop();
  await becomes('away');
  expect(isRefused(await runKeyed(createStudy, key))).toBe(true);
  await server.start();
  await becomes('ready');

  expect(await runKeyed(createStudy, key)).toEqual(aStudy);
  expect(gateway.calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
  expect(gateway.log.filter(({ msg }) => String(msg).startsWith('redis'))).toMatchObject([
    { level: 30, msg: 'redis is ready' },
    { level: 40, msg: 'redis is away' },
    { level: 30, msg: 'redis is ready' },
  ]);
});

it('answers a call during which Redis went away, and stores its ending when Redis comes back', async () => {
  const server = await startServer();
  const api = await startHoldingApi();
  const { runKeyed, becomes } = await start(server, { studyApiUrl: api.url });
  const other = await start(server, { studyApiUrl: api.url });
  const key = newKey();

  const first = runKeyed(createStudy, key);
  await api.holds(1);
  await server.stop();
  await becomes('away');
  api.answerNext();

  expect(await first).toEqual(aStudy);
  await server.start();
  await becomes('ready');
  await other.becomes('ready');
  const repeat = other.runKeyed(createStudy, key);
  await api.holds(1);
  api.answerNext();
  expect(await repeat).toEqual(aStudy);
  expect(api.arrived).toEqual(['POST /studies', `GET /studies/${wholeStudy.id}`]);
});

it('refuses a key when Redis does not answer, later keys at once, and frees the key afterwards', async () => {
  const server = await startServer();
  const { gateway, runKeyed, becomes } = await start(server);
  const key = newKey();

  server.freeze();
  expect(isRefused(await runKeyed(createStudy, key))).toBe(true);
  const startedAt = performance.now();
  expect(isRefused(await runKeyed(createStudy, key))).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(400);
  expect(gateway.calls).toHaveLength(0);
  server.thaw();
  await becomes('ready');

  // If the refused call still held the key, the repeat would wait for its end.
  await expect.poll(() => runKeyed(createStudy, key)).toEqual(aStudy);
  expect(gateway.calls).toHaveLength(1);
});

it('reconnects to Redis after Redis has been silent and its connection has ended', async () => {
  const server = await startServer();
  const { gateway, runKeyed, becomes } = await start(server);
  await runKeyed(createStudy, newKey());

  server.freeze();
  // The gateway must notice this on its own: no request uses Redis.
  await becomes('away');
  await server.stop();
  await server.start();
  await becomes('ready');

  expect(await runKeyed(createStudy, newKey())).toEqual(aStudy);
  expect(gateway.calls).toHaveLength(2);
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
