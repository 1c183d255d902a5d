// @module-tag redis

import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { allDaily } from '../support/daily.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { createStudy, newKey, toExtensions, toRunKeyed } from '../support/keyed.js';
import { createRedisServer, toRedisState, type RedisServer } from '../support/redis.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 40_000 });

const aStudy = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };

async function startServer(settings?: Readonly<Record<string, string>>): Promise<RedisServer> {
  const server = await createRedisServer('', settings);
  onTestFinished(server.remove);
  await server.start();
  return server;
}

async function start(redisUrl: URL, options: TestGatewayOptions = {}) {
  const gateway = await startTestGateway({ redisUrl, ...options });
  const becomes = async (redis: string): Promise<void> => {
    const options = { interval: 20, timeout: 10_000 };
    await expect.poll(() => toRedisState(gateway), options).toBe(redis);
  };
  return { gateway, runKeyed: toRunKeyed(gateway), becomes };
}

function toRedisLines({ log }: TestGateway): unknown[] {
  return log
    .filter(({ msg }) => String(msg).startsWith('redis is'))
    .map(({ msg, cause }) => (cause === undefined ? msg : [msg, cause]));
}

/** Returns the id of the gateway's connection, the one that evaluated a script. */
async function toConnection(server: RedisServer): Promise<string | undefined> {
  const list = String(await server.command('CLIENT', 'LIST'));
  return list
    .split('\n')
    .findLast((line) => / cmd=eval /.test(line))
    ?.split(' ')[0];
}

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
    const first = await toConnection(server);

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
    // A new connection looks the host up again.
    expect(await toConnection(server)).not.toBe(first);

    expect(await runKeyed(createStudy, key)).toEqual(aStudy);
    expect(gateway.calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(toRedisLines(gateway)).toEqual([
      'redis is ready',
      ['redis is away', expect.stringContaining(reply)],
      'redis is ready',
    ]);
  },
);

it('is ready for a user who may run only the commands of docs/idempotency.md', async () => {
  const text = readFileSync('docs/idempotency.md', 'utf8');
  const [, row = ''] = /^\| Commands +\|(.*)for rate limits/m.exec(text) ?? [];
  const commands = [...row.matchAll(/`([A-Z]+)[A-Z ]*`/g)].map(([, name]) => `+${name}`);
  const server = await startServer();
  await server.command('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '-@all', ...commands);
  const url = new URL(server.url);
  [url.username, url.password] = ['app', 'secret'];
  const { runKeyed, becomes } = await start(url);

  await becomes('ready');
  const key = newKey();
  expect([await runKeyed(createStudy, key), await runKeyed(createStudy, key)]).toEqual([
    aStudy,
    aStudy,
  ]);
});
