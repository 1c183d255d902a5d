import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

/** All child processes that still run. */
const children = new Set<ChildProcess>();
/** Maximum number of characters of a program's stderr that an error shows. */
const MAX_COMPLAINT = 2_000;

export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The last part of the program's stderr. */
  readonly complaint: () => string;
  readonly stop: () => Promise<void>;
}

/** Starts Node in `bench/`, and discards its stdout. @param isMessaging whether to open a message channel */
export function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  isMessaging = false,
): Program {
  return startProgram(process.execPath, args, env, isMessaging);
}

/** Starts a program as `startNode` starts Node. */
export function startProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isMessaging = false,
): Program {
  const stdio: StdioOptions = [
    'ignore',
    'ignore',
    'pipe',
    ...(isMessaging ? ['ipc' as const] : []),
  ];
  const child = spawn(command, args, {
    cwd: new URL('..', import.meta.url),
    env: { PATH: process.env['PATH'], ...env },
    stdio,
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + String(chunk)).slice(-MAX_COMPLAINT);
  });
  return {
    child,
    pid: child.pid ?? 0,
    complaint: () => complaint,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Kills every child when the benchmark ends, also after SIGINT or SIGTERM. */
export function endChildrenWithUs(): void {
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
}
