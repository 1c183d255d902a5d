import { it } from 'vitest';
import { allDaily } from '../../support/daily.js';
import { untilKeyed } from './matrix.js';
import { count, createSingle, expectTrue, toWord, type Single } from './single.js';
import type { Call } from './ask.js';
import type { Ending } from './study-api.js';
import { tokens } from './trial.js';
import type { Process, World } from './world.fixture.js';

interface Point {
  readonly name: string;
  readonly ending: Ending;
  /** Makes a process come to this point with a call. */
  readonly reach: (doomed: Process, single: Single, start: () => void) => Promise<unknown>;
  /** What the same caller and a stranger are answered elsewhere, and what the ledger has then. */
  readonly same: string;
  readonly strange: string;
  readonly counts: string;
  /** Stops the process in order; by default it is killed. */
  readonly isStopped?: boolean;
}

const refused = { carries: false, status: 422, body: 'refusal' } as const;

/** Lets the answer of the Study API come, and stops what goes to Redis then, or what comes back. */
const atEnd =
  (mode: 'hold-requests' | 'hold-replies'): Point['reach'] =>
  async (doomed, single, start) => {
    start();
    await single.ledger({ arrived: 1 });
    doomed.redis.set(mode);
    single.release();
    await doomed.redis.stopped();
  };

const atStart =
  (mode: 'hold-requests' | 'hold-replies'): Point['reach'] =>
  async (doomed, _single, start) => {
    doomed.redis.set(mode);
    start();
    await doomed.redis.stopped();
  };

const atApi: Point['reach'] = async (_doomed, single, start) => {
  start();
  await single.ledger({ arrived: 1 });
};

const unknown = { same: 'UNKNOWN', strange: 'UNKNOWN' };

const points: readonly Point[] = [
  {
    name: 'before the claim',
    ending: {},
    reach: atStart('hold-requests'),
    same: 'study with id',
    strange: 'UNKNOWN',
    counts: '1 arrived, 1 carried out, 1 read',
  },
  {
    name: 'after the claim',
    ending: {},
    reach: atStart('hold-replies'),
    ...unknown,
    counts: '0 arrived, 0 carried out, 0 read',
  },
  {
    name: 'before the Study API stores',
    ending: { holds: 'before' },
    reach: atApi,
    ...unknown,
    counts: '1 arrived, 1 carried out, 0 read',
  },
  {
    name: 'after the Study API stored',
    ending: { holds: 'after' },
    reach: async (doomed, single, start) => {
      await atApi(doomed, single, start);
      await single.ledger({ carried: 1 });
    },
    ...unknown,
    counts: '1 arrived, 1 carried out, 0 read',
  },
  {
    name: 'after the Study API stored, by SIGTERM',
    ending: { holds: 'after' },
    reach: atApi,
    same: 'study with id',
    strange: 'UNKNOWN',
    counts: '1 arrived, 1 carried out, 2 read',
    isStopped: true,
  },
  {
    name: 'after the answer, before the end is kept',
    ending: { holds: 'after' },
    reach: atEnd('hold-requests'),
    ...unknown,
    counts: '1 arrived, 1 carried out, 0 read',
  },
  {
    name: 'after the end is kept',
    ending: { holds: 'after' },
    reach: atEnd('hold-replies'),
    same: 'study with id',
    strange: 'UNKNOWN',
    counts: '1 arrived, 1 carried out, 2 read',
  },
  {
    name: 'after a refusal, before the key is freed',
    ending: { ...refused, holds: 'after' },
    reach: atEnd('hold-requests'),
    ...unknown,
    counts: '1 arrived, 0 carried out, 0 read',
  },
  {
    name: 'after the key is freed',
    ending: { ...refused, holds: 'after' },
    reach: atEnd('hold-replies'),
    same: 'study with id',
    strange: 'UNKNOWN',
    counts: '2 arrived, 1 carried out, 1 read',
  },
];
const few = new Set([
  'after the claim',
  'after the Study API stored',
  'after the Study API stored, by SIGTERM',
  'after the end is kept',
]);

/** Tests what a repeat is answered when the process of the first call is killed between two steps. */
export function testKills(world: World): void {
  const fields = allDaily(
    ['createStudy', 'editStudy'],
    ['createStudy'],
  ) as readonly Call['field'][];

  for (const { name, ending, reach, same, strange, counts, isStopped } of allDaily(
    points,
    points.filter((point) => few.has(point.name)),
  ))
    it.concurrent.for(fields)(`${name}: %s`, { timeout: 60_000 }, async (field, { expect }) => {
      // Its lease, which the repeats wait for, is 2 s longer.
      const doomed = await world.start({ STUDY_API_TIMEOUT_MS: '1000' });
      // The connection to Redis is there, so that the next command is that of a key.
      await untilKeyed([doomed]);
      const [survivor] = world.processes;
      const single = createSingle(world, field, ending);
      let first: Promise<string> | undefined;

      await reach(doomed, single, () => {
        first = single.askOnce(doomed).then(toWord, () => 'nothing');
      });
      doomed.program.kill(isStopped ? 'SIGTERM' : 'SIGKILL');
      if (isStopped) await doomed.program.printed(/"stopping"/);
      else await doomed.program.exit;
      single.release();
      await doomed.program.exit;
      if (ending.holds === 'before') await single.ledger({ carried: 1 });

      // The end of a call may be told before it is kept.
      expect(['nothing', 'study with id', 'REJECTED']).toContain(await first);
      const repeat = await single.ask(survivor!);
      const other = await single.ask(survivor!, tokens.strange);
      expect([toWord(repeat), toWord(other)]).toEqual([same, strange]);
      expect(count(await single.ledger())).toBe(counts);
      await expectTrue(single, [repeat, other]);
      expect(toWord(await single.ask(survivor!))).toBe(same);
      expect((await single.ledger()).writes).toHaveLength(Number(counts[0]));
    });
}
