import { expect, it } from 'vitest';
import { allDaily } from '../support/daily.js';
import { limitMib, measureUnder, type Attack } from './memory.fixture.js';

// `DAILY=1 npx vitest run test/machines/memory` prints the rows of the table in docs/operations.md.

const ATTACK_MS = 20_000;
const MIN_SHARE = 0.95;

interface Row {
  readonly what: string;
  readonly attack: Attack;
  /** Size of the studies on the pages that the API answers, in bytes. */
  readonly studyBytes: number;
}

const attacks: readonly [string, Attack][] = [
  ['10,000 strangers who send a body but its last byte', { bodies: 10_000 }],
  ['1,000 callers who read a byte a second', { readers: 1_000 }],
  ['256 calls at once with answers of 1 MiB', { answers: 256 }],
  ['all three together', { bodies: 10_000, readers: 1_000, answers: 256 }],
  ['all three, bodies that fit', { shares: 2_700, readers: 1_000, answers: 256 }],
];
const table = [1_400, 14_000].flatMap((studyBytes) =>
  attacks.map(([what, attack]): Row => ({ what, attack, studyBytes })),
);
const others: readonly Row[] = [
  {
    what: '1,000 strangers who send a body byte by byte',
    attack: { trickles: 1_000 },
    studyBytes: 1_400,
  },
  {
    what: '10,000 strangers whose bodies fit together',
    attack: { shares: 9_900 },
    studyBytes: 1_400,
  },
  {
    what: '600 creates with 19,900 names in `extensions`',
    attack: { names: 600 },
    studyBytes: 1_400,
  },
  { what: '600 creates with 19,900 variables', attack: { variables: 600 }, studyBytes: 1_400 },
  { what: '600 creates of 19,000 strings at once', attack: { lists: 600 }, studyBytes: 1_400 },
  {
    what: '256 callers who leave in the middle of the answer',
    attack: { leavers: 256 },
    studyBytes: 1_400,
  },
];
const small: Row = {
  what: 'a tenth of all together',
  attack: { bodies: 1_000, readers: 100, answers: 64, leavers: 16, trickles: 100 },
  studyBytes: 14_000,
};

it.runIf(process.platform === 'linux').each(allDaily([...table, ...others, small], [small]))(
  'stays within the memory of a pod, and serves honest callers: $what, studies of $studyBytes bytes',
  { timeout: 120_000 },
  async ({ what, attack, studyBytes }) => {
    const ms = allDaily(ATTACK_MS, 8_000);

    const { peakMib, honest, attackers } = await measureUnder(attack, studyBytes, ms);

    console.log(JSON.stringify({ what, studyBytes, peakMib, honest, attackers }));
    const creates = Object.values(honest).reduce((sum, count) => sum + count, 0);
    expect(creates).toBeGreaterThan(50);
    expect(Object.keys(honest).filter((end) => !['study', 'OVERLOADED'].includes(end))).toEqual([]);
    expect(honest['study'] ?? 0).toBeGreaterThanOrEqual(MIN_SHARE * creates);
    expect(peakMib).toBeLessThan(limitMib);
  },
);
