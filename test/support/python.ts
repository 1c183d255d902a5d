import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pythonPath } from './tools.js';

export interface Python {
  /** The first line that the program printed. */
  readonly line: string;
  readonly end: () => Promise<void>;
}

/** Starts a program with Debian's Python and waits for its first line. The program must end when its stdin is closed. */
export async function startPython(path: string, args: readonly string[] = []): Promise<Python> {
  const child = spawn(pythonPath, ['-B', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const failed = ended.then(([code]): never => {
    throw new Error(`${path} ended with ${code}.`);
  });
  failed.catch(() => {});
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), failed]);
  const end = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  return { line, end };
}
