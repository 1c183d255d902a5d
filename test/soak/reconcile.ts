import type { Fate } from './client.js';

/** For each fate, how often the Study API must at least and may at most have stored the write. */
const allowed: Record<Fate, readonly [least: number, most: number]> = {
  SUCCESS: [1, 1],
  APPLIED: [1, 1],
  NOT_SENT: [0, 0],
  REJECTED: [0, 0],
  REFUSED: [0, 0],
  LEFT_EARLY: [0, 0],
  UNKNOWN: [0, 1],
  BAD_GATEWAY: [0, 1],
  BROKEN: [0, 1],
  LEFT: [0, 1],
  UNEXPLAINED: [1, 0],
};

/**
 * Returns a line for each write whose number of stored copies contradicts its fate, and for each stored write that no
 * client sent.
 */
export function findContradictions(
  fates: ReadonlyMap<string, Fate>,
  stored: ReadonlyMap<string, number>,
): string[] {
  const wrong = [...fates].flatMap(([description, fate]) => {
    const [least, most] = allowed[fate];
    const times = stored.get(description) ?? 0;
    return times >= least && times <= most ? [] : `${description}: ${fate}, stored ${times} times`;
  });
  const strange = [...stored.keys()].filter((description) => !fates.has(description));
  return [...wrong, ...strange.map((description) => `${description}: nobody sent it`)];
}

/** Returns the number of writes for each fate. */
export function countFates(fates: ReadonlyMap<string, Fate>): Partial<Record<Fate, number>> {
  const counts: Partial<Record<Fate, number>> = {};
  for (const fate of fates.values()) counts[fate] = (counts[fate] ?? 0) + 1;
  return counts;
}
