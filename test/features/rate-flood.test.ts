import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { useRedis } from '../support/keyed.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { Headers } from '../support/post.js';

const LIMIT = 20;
const redis = useRedis();

/** Sends requests to the replicas in turn, twenty at a time, and returns how many were served; all others must be 429. */
async function flood(
  replicas: readonly TestGateway[],
  count: number,
  toHeaders: (index: number) => Headers,
): Promise<number> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 20)
    await Promise.all(
      Array.from({ length: 20 }, async (_, offset) => {
        const turn = index + offset;
        const headers = toHeaders(turn);
        const replica = replicas[turn % replicas.length]!;
        statuses.push((await replica.post('{"query":"{ __typename }"}', headers)).status);
      }),
    );
  const served = statuses.filter((status) => status === 200).length;
  expect(statuses.filter((status) => status === 429)).toHaveLength(count - served);
  return served;
}

it(
  'serves exactly the limit of a window through two replicas, whoever floods, and with Redis away that of each replica',
  { tags: ['redis'], timeout: 30_000 },
  async () => {
    const options = {
      authMode: 'service',
      studyApiToken: 'service-token',
      apiKeys: ['one', 'two', 'three'].map((name) => ({
        name,
        sha256: hash('sha256', `key-${name}`),
        mayWrite: true,
      })),
      trustProxy: 1,
      rateLimitRequests: LIMIT,
      redisUrl: redis.server.url,
    } as const;
    const replicas = await Promise.all([startTestGateway(options), startTestGateway(options)]);
    const from = (address: string, token: string): Headers => ({
      authorization: `Bearer ${token}`,
      'x-forwarded-for': address,
    });

    // One caller, from many addresses.
    expect(await flood(replicas, 200, (turn) => from(`192.0.2.${turn}`, 'key-one'))).toBe(LIMIT);
    // Many made-up tokens, from one address: of a network in IPv6, from every address.
    expect(await flood(replicas, 200, (turn) => from('198.51.100.1', `made-up-${turn}`))).toBe(
      LIMIT,
    );
    const network = (turn: number) => from(`2001:db8:0:1::${turn.toString(16)}`, `made-up-${turn}`);
    expect(await flood(replicas, 200, network)).toBe(LIMIT);
    // Many addresses: each has its own window, which no other address uses up.
    const manyTimes = (turn: number) => from(`203.0.113.${turn % 10}`, `made-up-${turn}`);
    expect(await flood(replicas, 400, manyTimes)).toBe(10 * LIMIT);
    // All that they leave is gone with its window.
    const keys = (await redis.server.command('KEYS', 'study-gateway:rate:*')) as string[];
    expect(keys).toHaveLength(13);
    for (const key of keys) {
      const leftMs = await redis.server.command('PTTL', key);
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(60_000);
    }

    await redis.server.stop();
    expect(await flood(replicas, 200, () => from('192.0.2.1', 'key-two'))).toBe(2 * LIMIT);
    expect(await flood(replicas, 200, (turn) => from('192.0.2.99', `made-up-${turn}`))).toBe(
      2 * LIMIT,
    );
    await redis.server.start();
    const readRedis = async ({ url }: TestGateway): Promise<unknown> =>
      ((await (await fetch(`${url}/health/ready`)).json()) as { redis?: unknown }).redis;
    await expect
      .poll(() => Promise.all(replicas.map(readRedis)), { timeout: 10_000 })
      .toEqual(['ready', 'ready']);
    // The replicas share the windows again.
    expect(await flood(replicas, 200, () => from('192.0.2.1', 'key-three'))).toBe(LIMIT);
  },
);
