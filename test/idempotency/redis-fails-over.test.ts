// @module-tag redis

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { allDaily, daily } from '../support/daily.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import {
  createStudy,
  newKey,
  toExtensions,
  toRunKeyed,
  withVariables,
  type RunKeyed,
} from '../support/keyed.js';
import { createRedisServer, type RedisServer } from '../support/redis.js';
import { startStoringApi, success, toTwice } from '../support/storing-api.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 40_000 });

const aStudy = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };

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
  ['NOPERM', [['ACL', 'SETUSER', 'default', '-eval']], [['ACL', 'SETUSER', 'default', '+eval']]],
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
    expect(gateway.calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
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

it('stays away from a Redis Cluster', async () => {
  const server = await startServer({ 'cluster-enabled': 'yes' });
  const { gateway, runKeyed } = await start(server.url);

  expect(toExtensions(await runKeyed(createStudy, newKey()))).toMatchObject({
    code: 'OVERLOADED',
    outcome: 'NOT_SENT',
  });
  expect(toRedisLines(gateway)).toEqual([
    ['redis is away', expect.stringMatching(/CLUSTER|MOVED/)],
  ]);
});

/** Starts a server under one address that passes new connections on to the port of `target`. */
async function startForwarder(target: URL) {
  const sockets = new Set<Socket>();
  let { port } = target;
  const server = createServer((client) => {
    const redis = connect(Number(port), '127.0.0.1');
    for (const socket of [client, redis]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [client, redis].forEach((one) => one.destroy()));
    }
    client.pipe(redis).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    url: new URL(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`),
    switchTo: (next: URL): void => void ({ port } = next),
  };
}

it('takes the new primary within seconds after a planned failover under its live connection', async () => {
  const { primary, replica } = await startReplicated();
  const service = await startForwarder(primary.url);
  const { gateway, runKeyed, becomes } = await start(service.url);
  const key = newKey();
  expect(await runKeyed(createStudy, key)).toEqual(aStudy);

  service.switchTo(replica.url);
  const startedAt = performance.now();
  await primary.command('FAILOVER', 'TO', replica.url.hostname, replica.url.port);
  await expect
    .poll(() => runKeyed(createStudy, newKey()), { interval: 20, timeout: 10_000 })
    .toEqual(aStudy);

  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(await runKeyed(createStudy, key)).toEqual(aStudy);
  expect(gateway.calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  await becomes('ready');
});
