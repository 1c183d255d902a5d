import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Returns the peak memory of a process since its start or the last `resetPeak`, in MiB. Linux only. */
function readPeakMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}

/** Sets the peak memory of a process to its current memory. Linux only. */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** What one run of a request cost a process. */
export interface Cost {
  readonly cpuMs: number;
  /** Peak memory of the process. */
  readonly peakMib: number;
}

/** Returns the least CPU time and the highest memory of several runs. Other work slows down a run, so the cheapest counts. */
export async function measureCost(
  pid: number,
  isEnough: (bestMs: number, runs: number) => boolean,
  run: () => Promise<void>,
): Promise<Cost> {
  resetPeak(pid);
  let cpuMs = Infinity;
  for (let runs = 0; runs === 0 || !isEnough(cpuMs, runs); runs += 1) {
    const before = await readCpuMs(pid);
    await run();
    cpuMs = Math.min(cpuMs, (await readCpuMs(pid)) - before);
  }
  return { cpuMs, peakMib: readPeakMib(pid) };
}
