import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

/**
 * Returns the CPU time of all threads of a process in ms. Linux only. Waits until no thread runs: Linux adds the time of a
 * thread when the thread stops.
 */
async function readCpuMs(pid: number): Promise<number> {
  while (isRunning(pid)) await setImmediate();
  const tasks = readdirSync(`/proc/${pid}/task`);
  const times = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

function isRunning(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).some((task) => {
    const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
    // The state follows the name, which stands in parentheses and may contain any character.
    return stat.slice(stat.lastIndexOf(') ') + 2).startsWith('R');
  });
}

/** Returns the least CPU time of several runs in ms. Other work slows down a run, so the cheapest counts. */
export async function measureCost(
  pid: number,
  isEnough: (bestMs: number, runs: number) => boolean,
  run: () => Promise<void>,
): Promise<number> {
  let cpuMs = Infinity;
  for (let runs = 0; runs === 0 || !isEnough(cpuMs, runs); runs += 1) {
    const before = await readCpuMs(pid);
    await run();
    cpuMs = Math.min(cpuMs, (await readCpuMs(pid)) - before);
  }
  return cpuMs;
}
