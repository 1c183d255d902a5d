import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Program } from '../support/program.js';
import type { Usage } from './probe.js';

export type { Usage };

/** Options of Node that `fetchUsage` needs. */
export const probeArgs = [
  '--expose-gc',
  '--import',
  fileURLToPath(new URL('./probe.ts', import.meta.url)),
];

/** Returns the resource usage of a program that was started with `probeArgs` and an IPC channel. */
export async function fetchUsage({ child }: Program): Promise<Usage> {
  const answered = once(child, 'message');
  child.send('measure');
  const [usage] = (await answered) as [Usage];
  return usage;
}

/** Returns the kinds of handles and timers of which the process has more at the end than at the beginning. */
export function findLeftovers(begin: Usage, end: Usage): string[] {
  const kinds = Object.entries(end.resources).filter(
    ([kind, count]) => count > (begin.resources[kind] ?? 0),
  );
  const leftovers = kinds.map(([kind, count]) => `${count} ${kind}`);
  if (end.descriptors > begin.descriptors) leftovers.push(`${end.descriptors} descriptors`);
  return leftovers;
}
