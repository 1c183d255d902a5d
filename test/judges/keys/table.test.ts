import { describe, expect, it } from 'vitest';
import { firstOfAll, judgeAll, prepareAll, toCases } from './matrix.js';
import { testReads } from './reads.js';
import { each } from './trial.js';
import { useWorld } from './world.fixture.js';

describe('with Redis well', { tags: ['redis'] }, () => {
  const world = useWorld({ withoutReads: true });

  describe('a repeat', () => {
    testReads(world);
  });

  it('answers a repeat after every ending as the table says', { timeout: 120_000 }, async () => {
    const trials = prepareAll(world, toCases([true, false]));

    await firstOfAll(world, trials);
    await each(trials, (trial) => trial.repeat());
    await each(trials, (trial) => trial.repeat('none', 'same'));
    await each(trials, (trial) => trial.repeat('none', 'strange'));

    expect(await judgeAll(trials)).toEqual([]);
  });

  it('stores no study, no token, and nothing for more than 48 hours', async () => {
    const cases = toCases([true], ['a study', '422', '500 before the write', '204']);
    const trials = prepareAll(world, cases);
    await firstOfAll(world, trials);

    const keys = (await world.redis.command('KEYS', '*')) as string[];
    expect(keys.length).toBeGreaterThan(0);
    const records = await Promise.all(keys.map((key) => readRecord(world.redis.command, key)));
    // On a busy machine, a key that is free may be gone meanwhile.
    const texts = records.filter(({ ttl }) => ttl !== -2);
    for (const { text, ttl } of texts) {
      expect(text).not.toMatch(/mark |secret-|ada\.|eve\./);
      expect(ttl).toBeGreaterThan(0);
      expect(ttl).toBeLessThanOrEqual(48 * 3_600_000);
    }
    expect(Math.max(...texts.map(({ ttl }) => ttl))).toBeGreaterThan(47 * 3_600_000);
    expect(await judgeAll(trials)).toEqual([]);
  });
});

/** Returns what Redis holds under a key, whatever its type, and the time until it is gone, in ms. */
async function readRecord(command: (...args: string[]) => Promise<unknown>, key: string) {
  const reads: Readonly<Record<string, readonly string[]>> = {
    string: ['GET', key],
    hash: ['HGETALL', key],
    list: ['LRANGE', key, '0', '-1'],
    set: ['SMEMBERS', key],
    zset: ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
  };
  const type = (await command('TYPE', key)) as string;
  const value = type === 'none' ? undefined : await command(...reads[type]!);
  return { text: `${key} ${JSON.stringify(value)}`, ttl: (await command('PTTL', key)) as number };
}
