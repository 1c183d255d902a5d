import { describe, expect, it } from 'vitest';
import { allDaily } from '../../support/daily.js';
import { testFailover } from './failover.js';
import {
  duringFirst,
  firstOfAll,
  judgeAll,
  prepareAll,
  repeatAll,
  report,
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
  /** Longest time that a keyed call may take, in ms: Redis's own 0.5 s, and what a busy machine adds. */
  readonly withinMs: number;
  /** Whether keys cannot even be read meanwhile. */
  readonly isAway: boolean;
}

function forAll(world: World, mode: 'open' | 'swallow'): void {
  for (const { redis } of world.processes) redis.set(mode);
}

const failures: readonly Failure[] = [
  {
    name: 'silent',
    fail: async ({ redis }) => redis.freeze(),
    mend: async ({ redis }) => redis.thaw(),
    withinMs: 2_000,
    isAway: true,
  },
  {
    name: 'silent behind a proxy that loses what is sent',
    fail: async (world) => forAll(world, 'swallow'),
    mend: async (world) => forAll(world, 'open'),
    withinMs: 2_000,
    isAway: true,
  },
  {
    name: 'away, and restarted with its file',
    fail: ({ redis }) => redis.stop(),
    mend: ({ redis }) => redis.start(),
    withinMs: 2_000,
    isAway: true,
  },
  {
    name: 'full',
    fail: ({ redis }) => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    mend: ({ redis }) => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
    withinMs: 2_000,
    isAway: false,
  },
  {
    name: 'not writable, as a replica',
    fail: ({ redis }) => redis.command('REPLICAOF', '127.0.0.1', '1'),
    mend: ({ redis }) => redis.command('REPLICAOF', 'NO', 'ONE'),
    withinMs: 2_000,
    isAway: false,
  },
];

/** Endings that the ordinary run tries with each failure of Redis. */
const few = ['a study', '422', 'a cut after the write'] as const;

describe('Redis fails', { tags: ['redis'] }, () => {
  // Calls wait at the Study API while Redis fails over.
  const world = useWorld({ env: { STUDY_API_TIMEOUT_MS: '4000' } });

  describe('and fails over', () => {
    testFailover(world);
  });

  for (const failure of allDaily(
    failures,
    failures.filter(({ name }) => /^(silent|away.*|full)$/.test(name)),
  ))
    describe(`and is ${failure.name}`, () => {
      const { fail, mend, withinMs, isAway } = failure;

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
          .filter(({ ms }) => ms > withinMs);
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
        report(`${failure.name} during the first call`, trials);
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
