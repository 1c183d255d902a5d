// @module-tag redis

import { hash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { everyNth } from '../support/daily.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { createStudy, newKey, toRunKeyed, useRedis, withVariables } from '../support/keyed.js';

/** Free memory of Redis in bytes when the strangers start to send requests. */
const ROOM_BYTES = 64 * 1024;
const aStudy = { data: { createStudy: wholeStudy } };

const redis = useRedis();

afterEach(async () => {
  await redis.server.command('CONFIG', 'SET', 'maxmemory', '0');
  await redis.server.command('FLUSHALL');
});

/** Limits the memory of Redis to `ROOM_BYTES` more than Redis uses after the gateway has loaded its scripts. */
async function leaveLittleRoom(gateway: TestGateway): Promise<void> {
  expect(await toRunKeyed(gateway)(createStudy, newKey())).toEqual(aStudy);
  const memory = String(await redis.server.command('INFO', 'memory'));
  const used = Number(/^used_memory:(\d+)/m.exec(memory)?.[1]);
  await redis.server.command('CONFIG', 'SET', 'maxmemory', String(used + ROOM_BYTES));
}

async function post(gateway: TestGateway, body: object, bearer?: string): Promise<unknown> {
  const authorization = bearer === undefined ? '' : `Bearer ${bearer}`;
  return (await gateway.post(body, { authorization })).json();
}

/** Calls `send` with 0, 1, … `count` - 1, at most 50 at a time. */
async function flood<Answer>(
  count: number,
  send: (index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const { length } = answers;
    const batch = Array.from({ length: Math.min(50, count - length) }, (_, n) => send(length + n));
    answers.push(...(await Promise.all(batch)));
  }
  return answers;
}

async function readKeys(): Promise<string[]> {
  return (await redis.server.command('KEYS', '*')) as string[];
}

describe('strangers leave room for keyed results in Redis', () => {
  it('who register documents', async () => {
    const gateway = await startTestGateway({ redisUrl: redis.server.url });
    await leaveLittleRoom(gateway);

    await flood(30, (index) => {
      const query = `{ __typename } # ${index} ${'x'.repeat(18_000)}`;
      const persistedQuery = { version: 1, sha256Hash: hash('sha256', query) };
      return post(gateway, { query, extensions: { persistedQuery } });
    });

    expect(await toRunKeyed(gateway)(createStudy, newKey())).toEqual(aStudy);
    expect(await readKeys()).toHaveLength(2);
  });

  it.each(everyNth(2, ['rateLimitRequests', 'rateLimitMutationFields']))(
    'who have a new token for each request, with %s',
    async (limit) => {
      const gateway = await startTestGateway({
        redisUrl: redis.server.url,
        [limit]: 100,
        api: (response, call, request) => {
          const isKnown = call.headers.authorization === `Bearer ${token}`;
          (isKnown ? answerJson(wholeStudy) : answerJson({}, 401))(response, call, request);
        },
      });
      await leaveLittleRoom(gateway);
      const query = 'mutation { createStudy(input: {}) { id } }';

      await flood(600, (index) => post(gateway, { query }, `stranger-${index}`));

      const keyed = await toRunKeyed(gateway)(createStudy, newKey());
      expect(keyed).toEqual(aStudy);
      // What strangers leave lives for one window.
      const counts = (await readKeys()).filter((key) => key.includes(':rate:'));
      const lives = await Promise.all(counts.map((key) => redis.server.command('PTTL', key)));
      expect(lives.filter((ms) => !(Number(ms) <= 60_000 && Number(ms) > -2))).toEqual([]);
      expect(lives).not.toContain(-1);
    },
    20_000,
  );
});

it('holds the key of a stranger for one lease, with a fixed size', async () => {
  const refusals: (() => void)[] = [];
  const arrived = Promise.withResolvers<void>();
  const gateway = await startTestGateway({
    redisUrl: redis.server.url,
    api: (...args) => {
      if (refusals.push(() => answerJson({}, 401)(...args)) === 2) arrived.resolve();
    },
  });
  const inputs = ['', 'x'.repeat(100_000)].map((description) => ({ description }));
  const running = inputs.map((input, index) =>
    toRunKeyed(gateway)(withVariables(createStudy, { input }), newKey(), {
      authorization: `Bearer ${'t'.repeat(index ? 8_000 : 1)}`,
    }),
  );
  await arrived.promise;

  const keys = await readKeys();
  const { command } = redis.server;
  const sizes = await Promise.all(
    keys.map(async (key) => Number(await command('MEMORY', 'USAGE', key))),
  );
  const readTtls = () => Promise.all(keys.map(async (key) => Number(await command('TTL', key))));
  expect(keys).toEqual(
    inputs.map(() => expect.stringMatching(/^study-gateway:idempotency:[\w-]{43}$/)),
  );
  expect(new Set(sizes).size).toBe(1);
  expect(sizes[0]).toBeLessThan(400);
  for (const ttl of await readTtls()) expect(ttl).toBeGreaterThan(172_000);

  for (const refuse of refusals) refuse();
  await Promise.all(running);
  for (const ttl of await readTtls()) expect(ttl).toBeLessThanOrEqual(12);
});
