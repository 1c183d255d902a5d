import { readdirSync, readFileSync } from 'node:fs';

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Returns the CPU time that a process and its descendants have used: all threads, user and system, in µs. */
export function readCpuUs(pid: number): number {
  let ticks = 0;
  for (const member of readTree(pid)) {
    // Splits after the last parenthesis: the program's name stands in parentheses and may contain any character.
    const fields = readFileSync(`/proc/${member}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks / TICKS_PER_SECOND) * 1e6;
}

/** Returns the sum of the peak memory of a process and of its descendants, in MB. */
export function readPeakMb(pid: number): number {
  let kilobytes = 0;
  for (const member of readTree(pid))
    kilobytes += Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${member}/status`, 'utf8'))?.[1]);
  return kilobytes / 1024;
}

function readTree(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => readTree(Number(child)))];
}
