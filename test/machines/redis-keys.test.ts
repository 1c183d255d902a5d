import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createStudy, newKey, toRunKeyed, useRedis } from '../idempotency/keyed.fixture.js';
import { startTestGateway, token } from '../support/gateway.js';

const redis = useRedis();
const SECONDS: Readonly<Record<string, number>> = { h: 3_600, min: 60 };

interface Row {
  readonly key: string;
  readonly pattern: RegExp;
  readonly type: string;
  readonly ttlSeconds: number;
}

/** The rows of the table "Redis keys". */
function readRows(): Row[] {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## Redis keys\n([^]*?)^## /m.exec(text) ?? [];
  const rows = [...section.matchAll(/^\| `(.*?)` +\| (\w+) +\| (\d+) (\w+)/gm)];
  return rows.map(([, key = '', type = '', count, unit = '']) => ({
    key,
    pattern: new RegExp(`^${key.replace('<sha256>', '[\\w-]{43,64}')}$`),
    type,
    ttlSeconds: Number(count) * SECONDS[unit]!,
  }));
}

it('writes the keys that operations.md lists, with their types and times, and no others', async () => {
  const gateway = await startTestGateway({
    redisUrl: redis.server.url,
    rateLimitRequests: 100,
    rateLimitMutationFields: 100,
  });
  await toRunKeyed(gateway)(createStudy, newKey());
  const query = '{ __typename }';
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  await gateway.send({
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, extensions: { persistedQuery: { version: 1, sha256Hash } } }),
  });

  const rows = readRows();
  // What Apollo registers is written after its answer.
  const keysOf = async (): Promise<string[]> =>
    (await redis.server.command('KEYS', '*')) as string[];
  await expect.poll(async () => (await keysOf()).length).toBeGreaterThanOrEqual(rows.length);
  const found = await Promise.all(
    (await keysOf()).map(async (key) => {
      const { command } = redis.server;
      const [type, ttl] = await Promise.all([command('TYPE', key), command('TTL', key)]);
      const row = rows.find(({ pattern }) => pattern.test(key));
      return { key: row?.key ?? key, type, isInTime: isNear(Number(ttl), row?.ttlSeconds ?? 0) };
    }),
  );

  expect(found).toHaveLength(rows.length);
  expect(found).toEqual(
    expect.arrayContaining(rows.map(({ key, type }) => ({ key, type, isInTime: true }))),
  );
});

function isNear(ttl: number, expected: number): boolean {
  return ttl <= expected && ttl > expected - 30;
}
