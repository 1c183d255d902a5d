// @module-tag redis

import { expect, it, onTestFinished, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { startIssuer } from '../support/issuer.js';
import { createRedisServer, type RedisServer } from '../support/redis.js';
import { wholeStudy } from '../support/studies.js';
import { memoryStore } from 'rest-outcome';

vi.setConfig({ testTimeout: 20_000 });

const COOLDOWN_MS = 5_000;
const closed = { studyApi: { circuit: 'closed' } };

async function readReady({ url }: TestGateway): Promise<object> {
  const response = await fetch(`${url}/health/ready`);
  const body = (await response.json()) as object;
  return { code: response.status, ...body };
}

async function createRedis(password?: string): Promise<RedisServer> {
  const server = await createRedisServer(password);
  onTestFinished(server.remove);
  return server;
}

it('is not ready before the keys of the issuer have arrived, and stays ready when the issuer is away', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const issuer = await startIssuer();
  issuer.answerWith((_, response) => response.writeHead(503).end());
  const gateway = await startTestGateway(issuer.options);
  const waiting = { code: 503, status: 'starting', waitsFor: ['issuer'], ...closed };

  expect(await readReady(gateway)).toEqual(waiting);
  issuer.answerWith(undefined);
  expect(await readReady(gateway)).toEqual(waiting);
  vi.advanceTimersByTime(COOLDOWN_MS);
  expect(await readReady(gateway)).toEqual({ code: 200, status: 'ready', ...closed });

  await issuer.stop();
  vi.advanceTimersByTime(25 * 3_600_000);
  expect(await readReady(gateway)).toEqual({ code: 200, status: 'ready', ...closed });
});

it('is not ready before Redis was reached, and stays ready when Redis is away', async () => {
  const server = await createRedis();
  const gateway = await startTestGateway({ redisUrl: server.url });
  const away = { ...closed, redis: 'away' };

  expect(await readReady(gateway)).toEqual({
    code: 503,
    status: 'starting',
    waitsFor: ['redis'],
    ...away,
  });
  await server.start();
  await expect
    .poll(() => readReady(gateway), { interval: 5, timeout: 10_000 })
    .toEqual({ code: 200, status: 'ready', ...closed, redis: 'ready' });

  await server.stop();
  await expect
    .poll(() => readReady(gateway), { interval: 5, timeout: 10_000 })
    .toEqual({ code: 200, status: 'ready', ...away });
});

it('is not ready with a wrong password of Redis, and serves what needs no Redis', async () => {
  const server = await createRedis('right');
  await server.start();
  const gateway = await startTestGateway({
    redisUrl: new URL(server.url.href.replace('right', 'wrong')),
  });

  expect(await readReady(gateway)).toMatchObject({ code: 503, waitsFor: ['redis'] });
  expect(await gateway.graphql(`{ study(id: "${wholeStudy.id}") { id } }`)).toEqual({
    data: { study: { id: wholeStudy.id } },
  });
});

it('is ready without Redis when another store holds the idempotency keys', async () => {
  const { url } = await createRedis();
  const keys = memoryStore({ ttlMs: 60_000 });
  const gateway = await startTestGateway({ redisUrl: url, additions: { keys } });

  expect(await readReady(gateway)).toEqual({
    code: 200,
    status: 'ready',
    ...closed,
    redis: 'away',
  });
});
