import { distance } from 'fastest-levenshtein';

/** Returns a name without what only the case rule decides: `plan_id` and `planId` are equal. */
export function foldName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** Returns the known name that was probably meant: at most a third of its letters differ. */
export function findNearest(wrong: string, known: readonly string[]): string | undefined {
  const folded = foldName(wrong);
  const ranked = known
    .map((name) => ({ name, letters: distance(folded, foldName(name)) }))
    .toSorted((one, other) => one.letters - other.letters);
  const [near] = ranked;
  return near && near.letters <= near.name.length / 3 ? near.name : undefined;
}
