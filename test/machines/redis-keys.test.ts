// @module-tag redis

import { expect, it } from 'vitest';
import { createStudy, newKey, toRunKeyed, useRedis } from '../support/keyed.js';
import { startTestGateway } from '../support/gateway.js';

const redis = useRedis();

const rows = [
  { key: 'study-gateway:idempotency:', type: 'hash', ttlSeconds: 48 * 3_600 },
  { key: 'study-gateway:rate:requests:', type: 'string', ttlSeconds: 60 },
  { key: 'study-gateway:rate:mutation-fields:', type: 'string', ttlSeconds: 60 },
];

it('writes only the keys that operations.md lists, with their types and TTLs', async () => {
  const gateway = await startTestGateway({
    redisUrl: redis.server.url,
    rateLimitRequests: 100,
    rateLimitMutationFields: 100,
  });
  const runKeyed = toRunKeyed(gateway);
  const key = newKey();
  // The gateway counts a caller's rate in Redis only after the Study API has accepted a call of the caller.
  await runKeyed(createStudy, key);
  await runKeyed(createStudy, key);

  const keys = (await redis.server.command('KEYS', '*')) as string[];
  const found = await Promise.all(
    keys.map(async (name) => {
      const { command } = redis.server;
      const [type, ttl] = await Promise.all([command('TYPE', name), command('TTL', name)]);
      const row = rows.find(({ key }) => name.startsWith(key));
      return { key: row?.key ?? name, type, isInTime: isNear(Number(ttl), row?.ttlSeconds ?? 0) };
    }),
  );

  expect(found).toHaveLength(rows.length);
  const expected = rows.map(({ key, type }) => ({ key, type, isInTime: true }));
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(expected).toEqual(expect.arrayContaining(found));
});

function isNear(ttl: number, expected: number): boolean {
  return ttl <= expected && ttl > expected - 30;
}
