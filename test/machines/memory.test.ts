import { expect, it } from 'vitest';
import { allDaily } from '../support/daily.js';
import { limitMib, measureUnder, type Attack } from './memory.fixture.js';

// `DAILY=1 npx vitest run test/machines/memory` prints the rows of the table in docs/operations.md.

const MIN_SHARE = 0.95;

/** Description, size of the studies on the API's pages in bytes, and connections of each kind of attacker. */
type Row = readonly [what: string, studyBytes: number, attack: Attack];

const attacks: readonly [string, Attack][] = [
  ['10,000 strangers who send a body but its last byte', { bodies: 10_000 }],
  ['1,000 callers who read a byte a second', { readers: 1_000 }],
  ['256 calls at once with answers of 1 MiB', { answers: 256 }],
  ['all three together', { bodies: 10_000, readers: 1_000, answers: 256 }],
  ['all three, bodies that fit', { shares: 2_700, readers: 1_000, answers: 256 }],
];
const table = [1_400, 14_000].flatMap((bytes) =>
  attacks.map(([what, attack]): Row => [what, bytes, attack]),
);
const others: readonly Row[] = [
  ['1,000 strangers who send a body byte by byte', 1_400, { trickles: 1_000 }],
  ['10,000 strangers whose bodies fit together', 1_400, { shares: 9_900 }],
  ['600 creates with 19,900 names in `extensions`', 1_400, { names: 600 }],
  ['600 creates with 19,900 variables', 1_400, { variables: 600 }],
  ['600 creates of 19,000 strings at once', 1_400, { lists: 600 }],
  ['256 callers who leave in the middle of the answer', 1_400, { leavers: 256 }],
];
const few = { bodies: 1_000, readers: 100, answers: 64, leavers: 16, trickles: 100 };
const small: Row = ['a tenth of all together', 14_000, few];

it.runIf(process.platform === 'linux').each(allDaily([...table, ...others, small], [small]))(
  'stays within the memory of a pod, and serves honest callers: %s, studies of %i bytes',
  { timeout: 120_000 },
  async (what, studyBytes, attack) => {
    const ms = allDaily(20_000, 5_000);

    const { peakMib, honest, attackers } = await measureUnder(attack, studyBytes, ms);

    console.log(JSON.stringify({ what, studyBytes, peakMib, honest, attackers }));
    const creates = Object.values(honest).reduce((sum, count) => sum + count, 0);
    expect(creates).toBeGreaterThan(50);
    expect(Object.keys(honest).filter((end) => !['study', 'OVERLOADED'].includes(end))).toEqual([]);
    expect(honest['study'] ?? 0).toBeGreaterThanOrEqual(MIN_SHARE * creates);
    expect(peakMib).toBeLessThan(limitMib);
  },
);
