import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { startProgram, type Program, type ProgramOptions } from '../support/process.js';

const migration = '/proc/sys/net/ipv4/tcp_migrate_req';
/**
 * Linux setting: whether connections in the accept queue of a closing socket move to another process on the port. If not,
 * Linux resets them.
 */
export const isMigrating = existsSync(migration) && readFileSync(migration, 'utf8').trim() === '1';

/** Starts the built gateway in production mode, and waits until it listens. */
export async function startReplica(
  port: number,
  env: Record<string, string>,
  options: Omit<ProgramOptions, 'env'> = {},
): Promise<Program> {
  const program = startProgram({
    ...options,
    env: { NODE_ENV: 'production', PORT: String(port), ...env },
  });
  await program.printed(/"Server listening at /);
  return program;
}

/** Stops the program by SIGTERM as a supervisor would, and expects exit code 0 and no error output. */
export async function stopInOrder(program: Program): Promise<void> {
  program.kill('SIGTERM');
  expect(await program.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
}

/** Waits until the replica has logged `count` more operations. */
export function waitForService({ child }: Program, count: number): Promise<void> {
  let left = count;
  return new Promise((resolve) => {
    const watch = (text: string): void => {
      left -= text.split('"msg":"operation"').length - 1;
      if (left > 0) return;
      child.stdout?.off('data', watch);
      resolve();
    };
    child.stdout?.on('data', watch);
  });
}
