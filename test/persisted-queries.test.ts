import { hash } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createRedisServer, type RedisServer } from './idempotency/redis.fixture.js';
import { startTestGateway, token, type TestGateway } from './support/gateway.js';

const query = '{ __typename }';
const extensions = { persistedQuery: { version: 1, sha256Hash: hash('sha256', query) } };

async function startRedis(): Promise<RedisServer> {
  const redis = await createRedisServer();
  onTestFinished(() => redis.remove());
  await redis.start();
  return redis;
}

async function post({ send }: TestGateway, body: object): Promise<unknown> {
  const response = await send({
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return response.json();
}

const found = { data: { __typename: 'Query' } };
const notFound = {
  errors: [
    {
      message: 'PersistedQueryNotFound',
      extensions: {
        code: 'PERSISTED_QUERY_NOT_FOUND',
        outcome: 'NOT_SENT',
        retryable: false,
        requestId: expect.any(String),
      },
    },
  ],
};

it('runs at one gateway by its hash what was registered at another, over Redis', async () => {
  const { url: redisUrl, command } = await startRedis();
  const [one, other] = [await startTestGateway({ redisUrl }), await startTestGateway({ redisUrl })];

  expect(await post(other, { extensions })).toEqual(notFound);
  expect(await post(one, { query, extensions })).toEqual(found);
  // Apollo does not wait for it to be kept.
  await expect.poll(() => post(other, { extensions })).toEqual(found);

  const [key] = (await command('KEYS', 'study-gateway:apq:*')) as string[];
  expect(key).toMatch(/^study-gateway:apq:[\da-f]{64}$/);
  expect(await command('TTL', key!)).toBeGreaterThan(86_000);
});

it('asks for the whole document while Redis is away, and runs it', async () => {
  const redis = await startRedis();
  const gateway = await startTestGateway({ redisUrl: redis.url });
  await redis.stop();

  expect(await post(gateway, { extensions })).toEqual(notFound);
  expect(await post(gateway, { query, extensions })).toEqual(found);
});

it('keeps documents in memory without Redis', async () => {
  const gateway = await startTestGateway();

  expect(await post(gateway, { query, extensions })).toEqual(found);
  await expect.poll(() => post(gateway, { extensions })).toEqual(found);
});
