import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Program } from '../support/program.js';
import type { Usage } from './probe.js';

export type { Usage };

/** What Node has to be told for `fetchUsage`. */
export const probeArgs = [
  '--expose-gc',
  '--import',
  fileURLToPath(new URL('./probe.ts', import.meta.url)),
];

/** Asks a program that was started with `probeArgs` and a channel. */
export async function fetchUsage({ child }: Program): Promise<Usage> {
  const answered = once(child, 'message');
  child.send('measure');
  const [usage] = (await answered) as [Usage];
  return usage;
}

/** Handles and timers that a process had not had at the beginning; memory is not among them. */
export function findLeftovers(begin: Usage, end: Usage): string[] {
  const kinds = Object.entries(end.resources).filter(
    ([kind, count]) => count > (begin.resources[kind] ?? 0),
  );
  const leftovers = kinds.map(([kind, count]) => `${count} ${kind}`);
  if (end.descriptors > begin.descriptors) leftovers.push(`${end.descriptors} descriptors`);
  return leftovers;
}
