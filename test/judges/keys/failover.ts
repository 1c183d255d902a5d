import { expect, it, onTestFinished } from 'vitest';
import { daily } from '../../support/daily.js';
import { createRedisServer, type RedisServer } from '../../support/redis.js';
import {
  duringFirst,
  firstOfAll,
  judgeAll,
  prepareAll,
  repeatAll,
  toCases,
  untilKeyed,
} from './matrix.js';
import type { World } from './world.fixture.js';

const few = ['a study', '422', 'a cut after the write'] as const;

/** Tests that a failover of Redis costs no key, and that a lost key makes no word untrue. */
export function testFailover(world: World): void {
  let primary: RedisServer;

  const leadTo = ({ url }: RedisServer): void => {
    for (const { redis } of world.processes) redis.lead(Number(url.port));
  };

  /** Starts a replica of the primary, and waits until the replica has all keys. */
  async function startReplica(): Promise<RedisServer> {
    primary ??= world.redis;
    const replica = await createRedisServer();
    onTestFinished(replica.remove);
    await replica.start();
    await replica.command('REPLICAOF', '127.0.0.1', primary.url.port);
    const offset = /^slave0:.*state=online.*lag=[01]/m;
    await expect.poll(() => primary.command('INFO', 'replication')).toMatch(offset);
    return replica;
  }

  /** Has the replica take over, while the connections to the old primary stay open. */
  async function failOver(replica: RedisServer): Promise<void> {
    await primary.command('FAILOVER', 'TO', '127.0.0.1', replica.url.port);
    await expect.poll(() => replica.command('INFO', 'replication')).toContain('role:master');
    leadTo(replica);
  }

  /** Gives the keys back to the first Redis. */
  async function failBack(replica: RedisServer): Promise<void> {
    await replica.command('FAILOVER', 'TO', '127.0.0.1', primary.url.port);
    await expect.poll(() => primary.command('INFO', 'replication')).toContain('role:master');
    leadTo(primary);
    await untilKeyed(world.processes);
  }

  it('as planned during the first call', { timeout: 60_000 }, async () => {
    const trials = prepareAll(world, toCases([true], few, 4), 'after');
    await untilKeyed(world.processes);
    const replica = await startReplica();

    await duringFirst(world, trials, () => failOver(replica));
    expect(await untilKeyed(world.processes)).toBeLessThan(5_000);
    await repeatAll(trials, 'unknown');

    expect(await judgeAll(trials)).toEqual([]);
    await failBack(replica);
  });

  it('and loses its keys between the calls', { timeout: 60_000 }, async () => {
    const trials = prepareAll(world, toCases([true], few, 4));
    await firstOfAll(world, trials);

    await world.redis.command('FLUSHALL');
    await repeatAll(trials, 'lost');

    expect(await judgeAll(trials, true)).toEqual([]);
  });

  daily(() => {
    it('as planned between the calls, under live connections', { timeout: 60_000 }, async () => {
      const trials = prepareAll(world, toCases([true], few, 4));
      await untilKeyed(world.processes);
      const replica = await startReplica();
      await firstOfAll(world, trials);

      await failOver(replica);
      expect(await untilKeyed(world.processes)).toBeLessThan(5_000);
      await repeatAll(trials, 'none');

      expect(await judgeAll(trials)).toEqual([]);
      await failBack(replica);
    });
  });
}
