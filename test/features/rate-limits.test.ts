import { hash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useRedis } from '../support/keyed.js';
import { startIssuer } from '../support/issuer.js';
import { createStudy, study, toRequestBody } from '../support/operations.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { toRedisState } from '../support/redis.js';
import type { Headers } from '../support/post.js';

/** Rest of a window in seconds, of which a slow machine may have used some. */
const leftSeconds = expect.stringMatching(/^(60|5\d)$/);
const anonymous = { authorization: '' };

const asCaller = (token: string): Headers => ({ authorization: `Bearer ${token}` });

function send(gateway: TestGateway, headers: Headers, body = '{"query":"{ __typename }"}') {
  return gateway.post(body, headers);
}

/** Sends `count` requests, one after the other, and returns their statuses. */
async function sendMany(gateway: TestGateway, headers: Headers, count: number): Promise<number[]> {
  const statuses = [];
  for (let sent = 0; sent < count; sent++) statuses.push((await send(gateway, headers)).status);
  return statuses;
}

function toRefusal(message: string): object {
  return {
    message,
    extensions: {
      code: 'RATE_LIMITED',
      outcome: 'NOT_SENT',
      retryable: true,
      // More than 51.
      retryAfterSeconds: expect.closeTo(56, -1),
      requestId: expect.any(String),
    },
  };
}

/** Moves the clock of the counters in memory forward by one minute. */
function passMinute(): void {
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  onTestFinished(() => spy.mockRestore());
}

describe('RATE_LIMIT_REQUESTS', () => {
  it('counts the requests of a caller, and refuses requests over the limit', async () => {
    const gateway = await startTestGateway({ rateLimitRequests: 2 });

    const answers = [
      await send(gateway, asCaller('a'), toRequestBody(createStudy)),
      await send(gateway, asCaller('a'), toRequestBody(createStudy)),
      await send(gateway, asCaller('a'), toRequestBody(createStudy)),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual([
      null,
      null,
      leftSeconds,
    ]);
    expect(await answers[2]!.json()).toEqual({
      errors: [toRefusal('A caller may have 2 requests in a minute. Nothing was sent.')],
    });
    expect(gateway.calls).toHaveLength(2);
  });

  it('counts each token separately, and callers without a token by address', async () => {
    const gateway = await startTestGateway({ rateLimitRequests: 1 });

    expect(await sendMany(gateway, asCaller('a'), 2)).toEqual([200, 429]);
    expect(await sendMany(gateway, asCaller('b'), 2)).toEqual([200, 429]);
    expect(await sendMany(gateway, anonymous, 2)).toEqual([200, 429]);
    expect(await sendMany(gateway, { authorization: 'Basic YTpi' }, 1)).toEqual([429]);
    expect(JSON.stringify(gateway.log)).not.toMatch(/Bearer/);

    passMinute();
    expect(await sendMany(gateway, asCaller('a'), 2)).toEqual([200, 429]);
  });

  it('counts GET requests too, but neither health checks nor preflights', async () => {
    const gateway = await startTestGateway({ rateLimitRequests: 1 });
    const get = (path: string, init?: RequestInit): Promise<Response> =>
      fetch(gateway.url + path, init);

    const asked = '/graphql?query={__typename}';
    const preflight = { 'apollo-require-preflight': 'true' };
    expect((await get(asked, { headers: preflight })).status).toBe(200);
    expect((await get(asked, { headers: preflight })).status).toBe(429);
    expect((await get('/health/live')).status).toBe(200);
    expect(
      (
        await get('/graphql', {
          method: 'OPTIONS',
          headers: {
            origin: 'http://localhost:5173',
            'access-control-request-method': 'POST',
          },
        })
      ).status,
    ).toBe(204);
  });

  it('trusts X-Forwarded-For only from the configured number of proxies', async () => {
    const from = (address: string): Headers => ({ ...anonymous, 'x-forwarded-for': address });

    const direct = await startTestGateway({ rateLimitRequests: 1 });
    expect((await send(direct, from('192.0.2.1'))).status).toBe(200);
    expect((await send(direct, from('192.0.2.2'))).status).toBe(429);

    const behind = await startTestGateway({ rateLimitRequests: 1, trustProxy: 1 });
    expect((await send(behind, from('192.0.2.1'))).status).toBe(200);
    expect((await send(behind, from('192.0.2.2'))).status).toBe(200);
    // The entry that the client wrote itself precedes the entry that the proxy adds.
    expect((await send(behind, from('198.51.100.9, 192.0.2.1'))).status).toBe(429);
  });

  it('counts a user across several tokens, an API key by its name, and a forged token by address', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway({
      ...issuer.options,
      apiKeys: [{ name: 'ci', sha256: hash('sha256', 'ci-key'), mayWrite: true }],
      rateLimitRequests: 1,
    });
    const ask = async (token: string): Promise<number> =>
      (await send(gateway, asCaller(token))).status;

    expect(await ask(await issuer.sign({ jti: '1' }))).toBe(200);
    expect(await ask(await issuer.sign({ jti: '2' }))).toBe(429);
    expect(await ask(await issuer.sign({ sub: 'grace' }))).toBe(200);
    expect(await ask('ci-key')).toBe(200);
    expect(await ask('ci-key')).toBe(429);
    expect(await ask('forged-1')).toBe(200);
    expect(await ask('forged-2')).toBe(429);
  });
});

describe('RATE_LIMIT_MUTATION_FIELDS', () => {
  const create = (count: number): string => {
    const fields = Array.from({ length: count }, (_, n) => `f${n}: createStudy(input: {}) { id }`);
    return JSON.stringify({
      query: `mutation { ...F } fragment F on Mutation { ${fields.join(' ')} }`,
    });
  };

  it('counts the fields of mutations, and executes no field of a mutation over the limit', async () => {
    const gateway = await startTestGateway({ rateLimitMutationFields: 5 });

    expect((await send(gateway, asCaller('a'), create(3))).status).toBe(200);
    const refused = await send(gateway, asCaller('a'), create(3));
    expect((await send(gateway, asCaller('a'), create(2))).status).toBe(200);

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toEqual(leftSeconds);
    expect(await refused.json()).toEqual({
      errors: [toRefusal('A caller may have 5 mutation fields in a minute. Nothing was sent.')],
    });
    expect(gateway.calls).toHaveLength(5);
  });

  it('counts neither queries, nor invalid operations, nor mutations of other callers', async () => {
    const gateway = await startTestGateway({ rateLimitMutationFields: 5 });

    const bodies = [
      ...Array(6).fill(toRequestBody(study)),
      ...Array(6).fill('{"query":"mutation { createStudy { id } }"}'),
    ];
    for (const body of bodies) await send(gateway, asCaller('a'), body);
    expect((await send(gateway, asCaller('b'), create(5))).status).toBe(200);
    expect((await send(gateway, asCaller('a'), create(5))).status).toBe(200);

    expect((await send(gateway, asCaller('a'), create(1))).status).toBe(429);
  });
});

const LIMIT = 20;

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

describe('with Redis', { tags: ['redis'] }, () => {
  const redis = useRedis();

  it(
    'serves exactly the limit of a window through two replicas, whoever floods, and with Redis away that of each replica',
    { timeout: 30_000 },
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
      const from = (address: string, token: string): Headers => ({
        authorization: `Bearer ${token}`,
        'x-forwarded-for': address,
      });
      let replicas: readonly TestGateway[];
      let served: readonly number[];
      // Once more if this process stood still for 0.5 s: a replica then takes Redis for away, and counts alone.
      do {
        await redis.server.command('FLUSHALL');
        replicas = await Promise.all([startTestGateway(options), startTestGateway(options)]);
        served = [
          // One caller, from many addresses.
          await flood(replicas, 80, (turn) => from(`192.0.2.${turn}`, 'key-one')),
          // Many made-up tokens, from one address.
          await flood(replicas, 80, (turn) => from('198.51.100.1', `made-up-${turn}`)),
          // Many addresses: each has its own window, which no other address uses up.
          await flood(replicas, 240, (turn) => from(`203.0.113.${turn % 10}`, `made-up-${turn}`)),
        ];
      } while (replicas.some(({ log }) => log.some(({ msg }) => msg === 'redis is away')));
      expect(served).toEqual([LIMIT, LIMIT, 10 * LIMIT]);
      // All that they leave is gone with its window.
      const keys = (await redis.server.command('KEYS', 'study-gateway:rate:*')) as string[];
      expect(keys).toHaveLength(12);
      for (const key of keys) {
        const leftMs = await redis.server.command('PTTL', key);
        expect(leftMs).toBeGreaterThan(0);
        expect(leftMs).toBeLessThanOrEqual(60_000);
      }

      await redis.server.stop();
      expect(await flood(replicas, 80, () => from('192.0.2.1', 'key-two'))).toBe(2 * LIMIT);
      expect(await flood(replicas, 80, (turn) => from('192.0.2.99', `made-up-${turn}`))).toBe(
        2 * LIMIT,
      );
      await redis.server.start();
      await expect
        .poll(() => replicas.map(toRedisState), { timeout: 10_000 })
        .toEqual(['ready', 'ready']);
      // The replicas share the windows again.
      expect(await flood(replicas, 80, () => from('192.0.2.1', 'key-three'))).toBe(LIMIT);
    },
  );
});
