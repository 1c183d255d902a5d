// @module-tag redis

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createStudy, newKey, toRunKeyed, useRedis } from '../support/keyed.js';
import { startTestGateway } from '../support/gateway.js';

const redis = useRedis();
const SECONDS: Readonly<Record<string, number>> = { h: 3_600, min: 60 };

interface Row {
  readonly key: string;
  readonly pattern: RegExp;
  readonly type: string;
  readonly ttlSeconds: number;
}

/** Returns the rows of the table "Redis keys" in docs/operations.md. */
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

  const rows = readRows();
  const keys = (await redis.server.command('KEYS', '*')) as string[];
  const found = await Promise.all(
    keys.map(async (name) => {
      const { command } = redis.server;
      const [type, ttl] = await Promise.all([command('TYPE', name), command('TTL', name)]);
      const row = rows.find(({ pattern }) => pattern.test(name));
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
