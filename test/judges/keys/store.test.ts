import { describe, expect, it } from 'vitest';
import { allDaily } from '../../support/daily.js';
import { testFailover } from './failover.js';
import {
  duringFirst,
  firstOfAll,
  judgeAll,
  prepareAll,
  repeatAll,
  toCases,
  untilKeyed,
  write,
} from './matrix.js';
import { each } from './trial.js';
import { useWorld, type World } from './world.fixture.js';

/** A way in which Redis fails, and how it comes back. */
interface Failure {
  readonly name: string;
  readonly fail: (world: World) => Promise<unknown>;
  readonly mend: (world: World) => Promise<unknown>;
  /** Whether keys cannot even be read meanwhile. */
  readonly isAway: boolean;
}

const failures: readonly Failure[] = [
  {
    name: 'silent',
    fail: async ({ redis }) => redis.freeze(),
    mend: async ({ redis }) => redis.thaw(),
    isAway: true,
  },
  {
    name: 'away, and restarted with its file',
    fail: ({ redis }) => redis.stop(),
    mend: ({ redis }) => redis.start(),
    isAway: true,
  },
  {
    name: 'full',
    fail: ({ redis }) => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    mend: ({ redis }) => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
    isAway: false,
  },
];

/** Longest time that a keyed call may take, in ms: Redis's own 0.5 s, and what a busy machine adds. */
const MAX_MS = 2_000;

/** Endings that the ordinary run tries with each failure of Redis. */
const few = ['a study', '422', 'a cut after the write'] as const;

describe('Redis fails', { tags: ['redis'] }, () => {
  // Calls wait at the Study API while Redis fails over.
  const world = useWorld({ env: { STUDY_API_TIMEOUT_MS: '4000' } });

  describe('and fails over', () => {
    testFailover(world);
  });

  for (const { name, fail, mend, isAway } of failures)
    describe(`and is ${name}`, () => {
      it('before the first call', { timeout: 60_000 }, async () => {
        const trials = prepareAll(world, toCases([true], ['a study'], 4));

        await fail(world);
        await each(trials, (trial) => trial.first({ hindered: true }));
        for (const { url } of world.processes) expect((await write(url)).word).toBe('study');
        await mend(world);
        expect(await untilKeyed(world.processes)).toBeLessThan(5_000);
        await each(trials, (trial) => trial.repeat());
        await each(trials, (trial) => trial.repeat('none', 'same'));

        expect(await judgeAll(trials)).toEqual([]);
        const slow = trials
          .flatMap(({ answers }) => answers.slice(0, 1))
          .filter(({ ms }) => ms > MAX_MS);
        expect(slow).toEqual([]);
      });

      it('during the first call', { timeout: 60_000 }, async () => {
        const names = allDaily(
          [...few, '204', '500 after the write', 'no answer in time'] as const,
          few,
        );
        const trials = prepareAll(world, toCases([true], names, 4), 'after');

        await duringFirst(world, trials, () => fail(world));
        await mend(world);
        await untilKeyed(world.processes);
        await repeatAll(trials, 'unknown');

        expect(await judgeAll(trials)).toEqual([]);
      });

      it('at the repeat', { timeout: 60_000 }, async () => {
        const trials = prepareAll(world, toCases([true], few, 4));
        await firstOfAll(world, trials);

        await fail(world);
        await each(trials, (trial) => (isAway ? trial.refused() : trial.repeat('refused')));
        await mend(world);
        await untilKeyed(world.processes);
        await repeatAll(trials, 'none');

        expect(await judgeAll(trials)).toEqual([]);
      });
    });
});
