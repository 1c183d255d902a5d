// @module-tag redis

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { allDaily, daily } from '../support/daily.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { startHoldingApi } from '../support/held-calls.js';
import {
  createStudy,
  newKey,
  toExtensions,
  toRunKeyed,
  withVariables,
  type RunKeyed,
} from '../support/keyed.js';
import { findFreePort } from '../support/process.js';
import { createRedisServer, startSentinel, type RedisServer } from '../support/redis.js';
import { startStoringApi, success, toTwice } from '../support/storing-api.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 40_000 });

const aStudy = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };
const unknown = expect.objectContaining({ outcome: 'UNKNOWN', retryable: false });
const PRIMARY = 'study-keys';

async function startServer(settings?: Readonly<Record<string, string>>): Promise<RedisServer> {
  const server = await createRedisServer('', settings);
  onTestFinished(server.remove);
  await server.start();
  return server;
}

/** Starts a primary and a replica that has caught up. */
async function startReplicated() {
  const [primary, replica] = [await startServer(), await startServer()];
  await replica.command('REPLICAOF', primary.url.hostname, primary.url.port);
  await expect
    .poll(async () => String(await primary.command('INFO', 'replication')), { timeout: 10_000 })
    .toContain('state=online');
  return { primary, replica };
}

async function start(redisUrl: URL, options: TestGatewayOptions = {}) {
  const gateway = await startTestGateway({ redisUrl, ...options });
  const readHealth = async () => {
    const response = await fetch(`${gateway.url}/health/ready`);
    const { redis } = (await response.json()) as { redis: string };
    return [response.status, redis];
  };
  const becomes = async (redis: string, status = 200): Promise<void> => {
    await expect.poll(readHealth, { interval: 20, timeout: 10_000 }).toEqual([status, redis]);
  };
  return { gateway, runKeyed: toRunKeyed(gateway), becomes };
}

function toRedisLines({ log }: TestGateway): unknown[] {
  return log
    .filter(({ msg }) => String(msg).startsWith('redis is'))
    .map(({ msg, cause }) => (cause === undefined ? msg : [msg, cause]));
}

/** Sends keyed writes at all places until `stop`, which repeats at another place each one that was not made. */
function keepWriting(places: readonly RunKeyed[]) {
  const made = new Set<string>();
  const others = new Set<unknown>();
  const stopping = new AbortController();
  const run = async (place: RunKeyed, next: RunKeyed, name: string): Promise<void> => {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      const description = `${name}-${count}`;
      const write = withVariables(createStudy, { input: { description } });
      const key = newKey();
      const outcome = toExtensions(await place(write, key))?.['outcome'] ?? 'made';
      if (outcome === 'made') made.add(description);
      else others.add(outcome);
      unsettled.push(async () => {
        if (toExtensions(await next(write, key)) === undefined) made.add(description);
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const unsettled: (() => Promise<void>)[] = [];
  const writers = places.map(async (place, index) =>
    run(place, places[(index + 1) % places.length]!, `w${index}`),
  );
  return {
    made,
    others,
    stop: async () => {
      stopping.abort();
      await Promise.all(writers);
      for (const repeat of unsettled) await repeat();
    },
  };
}

daily(() => {
  it('is away while its Redis is a replica after FAILOVER, ready after the way back, and writes nothing twice', async () => {
    const { primary, replica } = await startReplicated();
    const api = await startStoringApi(() => success);
    const options = { studyApiUrl: api.url, metricsPort: 0 };
    const here = await start(primary.url, options);
    const there = await start(primary.url, options);
    const writing = keepWriting([here.runKeyed, there.runKeyed]);

    await primary.command('FAILOVER', 'TO', replica.url.hostname, replica.url.port);
    await Promise.all([here.becomes('away'), there.becomes('away')]);
    const metrics = await (await fetch(here.gateway.metricsUrl!)).text();
    expect(metrics).toMatch(/^study_gateway_redis_up 0$/m);
    await expect
      .poll(async () => String(await replica.command('INFO', 'replication')), { timeout: 10_000 })
      .toContain('state=online');
    await replica.command('FAILOVER', 'TO', primary.url.hostname, primary.url.port);
    await Promise.all([here.becomes('ready'), there.becomes('ready')]);
    await writing.stop();

    expect(toTwice(api.stored)).toEqual([]);
    expect(api.stored.toSorted()).toEqual([...writing.made].toSorted());
    expect([...writing.others]).toEqual(['NOT_SENT']);
    expect(toRedisLines(here.gateway)).toEqual([
      'redis is ready',
      ['redis is away', expect.stringMatching(/^(READONLY|redis did not reply)/)],
      'redis is ready',
    ]);
  });

  it('asks Sentinel for the primary, and writes nothing twice when Sentinel fails over', async () => {
    const { primary } = await startReplicated();
    const sentinel = await startSentinel(PRIMARY, primary.url);
    onTestFinished(sentinel.remove);
    const api = await startStoringApi(() => success);
    const closedPort = await findFreePort();
    const url = new URL(
      `redis://127.0.0.1:${closedPort}?master=${PRIMARY}&sentinels=127.0.0.1:${sentinel.port}`,
    );
    const here = await start(url, { studyApiUrl: api.url });
    const there = await start(url, { studyApiUrl: api.url });
    await Promise.all([here.becomes('ready'), there.becomes('ready')]);
    const writing = keepWriting([here.runKeyed, there.runKeyed]);

    await sentinel.failOver();
    await expect
      .poll(async () => toRedisLines(here.gateway), { timeout: 20_000 })
      .toEqual([
        'redis is ready',
        ['redis is away', expect.stringMatching(/^Sentinel names another primary: |^READONLY/)],
        'redis is ready',
      ]);
    const before = writing.made.size;
    await expect.poll(() => writing.made.size, { timeout: 10_000 }).toBeGreaterThan(before + 4);
    await Promise.all([here.becomes('ready'), there.becomes('ready')]);
    await writing.stop();

    expect(toTwice(api.stored)).toEqual([]);
    expect(api.stored.toSorted()).toEqual([...writing.made].toSorted());
  });
});

/** For each reply that makes Redis unusable: commands after which Redis gives the reply, and commands that undo them. */
const unusable: readonly (readonly [reply: string, begin: string[][], end: string[][]])[] = [
  ['READONLY', [['REPLICAOF', '127.0.0.1', '1']], [['REPLICAOF', 'NO', 'ONE']]],
  [
    'MASTERDOWN',
    [
      ['CONFIG', 'SET', 'replica-serve-stale-data', 'no'],
      ['REPLICAOF', '127.0.0.1', '1'],
    ],
    [['REPLICAOF', 'NO', 'ONE']],
  ],
  [
    'NOPERM',
    [['ACL', 'SETUSER', 'default', '-evalsha']],
    [['ACL', 'SETUSER', 'default', '+evalsha']],
  ],
  [
    'run this command',
    [['ACL', 'SETUSER', 'default', '-hdel']],
    [['ACL', 'SETUSER', 'default', '+hdel']],
  ],
  [
    'NOREPLICAS',
    [['CONFIG', 'SET', 'min-replicas-to-write', '1']],
    [['CONFIG', 'SET', 'min-replicas-to-write', '0']],
  ],
];

it.each(allDaily(unusable, unusable.slice(0, 1)))(
  'is away while Redis answers %s, and ready again without a restart',
  async (reply, begin, end) => {
    const server = await startServer();
    const { gateway, runKeyed, becomes } = await start(server.url);
    const key = newKey();
    await runKeyed(createStudy, key);

    for (const command of begin) await server.command(...command);
    // No request uses Redis: the gateway must notice.
    await becomes('away');
    expect(toExtensions(await runKeyed(createStudy, newKey()))).toMatchObject({
      code: 'OVERLOADED',
      outcome: 'NOT_SENT',
      retryable: true,
    });
    for (const command of end) await server.command(...command);
    await becomes('ready');

    expect(await runKeyed(createStudy, key)).toEqual(aStudy);
    expect(gateway.calls).toHaveLength(1);
    expect(toRedisLines(gateway)).toEqual([
      'redis is ready',
      ['redis is away', expect.stringContaining(reply)],
      'redis is ready',
    ]);
  },
);

daily(() => {
  it('is away while Redis loads its data', async () => {
    const server = await startServer({
      appendonly: 'no',
      rdbcompression: 'no',
      'key-load-delay': '40000',
      'loading-process-events-interval-bytes': '1024',
    });
    const fill = `for i = 1, 100 do redis.call('SET', 'k' .. i, string.rep('x', 1024)) end`;
    await server.command('EVAL', fill, '0');
    await server.command('SAVE');
    await server.stop();

    const started = server.start();
    const isLoading = async () => server.command('GET', 'k1').catch(String);
    await expect.poll(isLoading, { interval: 5, timeout: 5_000 }).toContain('LOADING');
    const { gateway, becomes } = await start(server.url);
    await becomes('away');
    await started;
    await becomes('ready');

    expect(toRedisLines(gateway)).toEqual([
      ['redis is away', expect.stringMatching(/^LOADING /)],
      'redis is ready',
    ]);
  });
});

it('refuses a Redis Cluster at the start', async () => {
  const server = await startServer({ 'cluster-enabled': 'yes' });

  await expect(startTestGateway({ redisUrl: server.url })).rejects.toMatchObject({
    name: 'ConfigError',
    message: 'REDIS_URL leads to a Redis Cluster, which is not supported.',
  });
});

it('reports UNKNOWN, and does not write again, when Redis has lost a key of this gateway', async () => {
  const server = await startServer();
  const { gateway, runKeyed } = await start(server.url);
  const [key, freed] = [newKey(), newKey()];
  await runKeyed(createStudy, key);

  await server.command('FLUSHALL');

  expect(toExtensions(await runKeyed(createStudy, key))).toEqual(unknown);
  expect(toExtensions(await runKeyed(createStudy, key))).toEqual(unknown);
  expect(await runKeyed(createStudy, freed)).toEqual(aStudy);
  expect(gateway.calls).toHaveLength(2);
  expect(gateway.log).toContainEqual(
    expect.objectContaining({
      level: 40,
      keys: 1,
      msg: 'redis has lost idempotency keys: repeats of their writes are UNKNOWN',
    }),
  );
});

it('puts the keys back that an emptied Redis has lost, so that no gateway writes again', async () => {
  const server = await startServer();
  const api = await startHoldingApi();
  const here = await start(server.url, { studyApiUrl: api.url });
  const there = await start(server.url, { studyApiUrl: api.url });
  const [ended, running] = [newKey(), newKey()];
  const first = here.runKeyed(createStudy, ended);
  await api.holds(1);
  api.answerNext();
  await first;
  const second = here.runKeyed(createStudy, running);
  await api.holds(1);

  await server.command('FLUSHALL');
  await server.command('CLIENT', 'KILL', 'TYPE', 'normal');
  const isRestored = async () => server.command('DBSIZE');
  await expect.poll(isRestored, { interval: 10, timeout: 5_000 }).toBe(2);
  await there.becomes('ready');
  const repeated = await there.runKeyed(createStudy, ended);
  api.answerNext();

  expect(toExtensions(repeated)).toEqual(unknown);
  expect(await second).toEqual(aStudy);
  expect(await there.runKeyed(createStudy, running)).toEqual(aStudy);
  expect(api.arrived).toHaveLength(2);
});

it('shows its certificate to a Redis that asks for one', { tags: ['openssl'] }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-certificates-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const subject = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', [...request.split(' '), ...subject, ...files], { stdio: 'ignore' });
  const tlsPort = String(await findFreePort());
  await startServer({
    'tls-port': tlsPort,
    'tls-cert-file': cert,
    'tls-key-file': key,
    'tls-ca-cert-file': cert,
  });
  const url = new URL(`rediss://127.0.0.1:${tlsPort}`);
  const search = new URLSearchParams({ ca: cert, cert, key }).toString();

  const without = await start(
    new URL(`${url.href}?${new URLSearchParams({ ca: cert }).toString()}`),
  );
  const with_ = await start(new URL(`${url.href}?${search}`));

  await with_.becomes('ready');
  await without.becomes('away', 503);
  await expect(startTestGateway({ redisUrl: new URL(`${url.href}?ca=/none`) })).rejects.toThrow(
    'REDIS_URL: the file of ca cannot be read.',
  );
});
