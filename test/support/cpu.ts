import { expect } from 'vitest';

/** Maximum number of runs. A run includes the CPU time of the client and of other work, so the fastest run counts. */
const MAX_RUNS = 60;
/** CPU time of `spin` in ms on an idle machine of 2026. */
const QUIET_SPIN_MS = 1.5;

/** Returns the CPU time in ms of a fixed loop. The loop takes more CPU time on a machine with other load. */
function spin(): number {
  const before = process.cpuUsage();
  let sum = 0;
  for (let step = 0; step < 1_000_000; step++) sum += step % 7;
  expect(sum).toBeGreaterThan(0);
  return toMs(process.cpuUsage(before));
}

/** Returns how many times as much CPU time a fixed loop takes now as on an idle machine; at least 1. */
export function measureSlowness(): number {
  const spins = Array.from({ length: 5 }, spin).toSorted((one, other) => one - other);
  return Math.max(1, spins[2]! / QUIET_SPIN_MS);
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/**
 * Returns the CPU time of the fastest run in ms, scaled to an idle machine by the CPU time of `spin`. Stops after a run of
 * less than `enoughMs`.
 */
export async function measureBest(
  enoughMs: number,
  run: (index: number) => Promise<void>,
): Promise<number> {
  const spins: number[] = [];
  let best = Infinity;
  for (let index = 0; index < MAX_RUNS && best >= enoughMs; index++) {
    spins.push(spin());
    const before = process.cpuUsage();
    await run(index);
    best = Math.min(best, toMs(process.cpuUsage(before)));
  }
  const medianSpin = spins.toSorted((one, other) => one - other)[spins.length >> 1]!;
  return best / Math.max(1, medianSpin / QUIET_SPIN_MS);
}
