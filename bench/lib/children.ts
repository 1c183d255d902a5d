import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

const children = new Set<ChildProcess>();
/** Most characters of a program's stderr that an error shows. */
const MAX_COMPLAINT = 2_000;

export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The last part of the program's stderr. */
  readonly complaint: () => string;
  readonly stop: () => Promise<void>;
}

/** Starts Node with these arguments in `bench/`. Throws stdout away. */
export function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  isMessaging = false,
): Program {
  const stdio: StdioOptions = [
    'ignore',
    'ignore',
    'pipe',
    ...(isMessaging ? ['ipc' as const] : []),
  ];
  const child = spawn(process.execPath, args, {
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

/** Runs a program to its end. @throws Error when the program fails */
export async function runNode(args: readonly string[], env: Record<string, string>): Promise<void> {
  const program = startNode(args, env);
  const [code] = await once(program.child, 'exit');
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}\n${program.complaint()}`);
}

/** Ends every child with the benchmark, however the benchmark ends. */
export function endChildrenWithUs(): void {
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
}
