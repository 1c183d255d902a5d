import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Less than the test's own limit, so that what was printed until then is told. */
const MAX_RUN_MS = 100_000;

/** Runs a program to its end and returns what it printed. Rejects with all of it when it fails. */
export function run(
  directory: string,
  file: string,
  args: readonly string[],
  timeout = MAX_RUN_MS,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd: directory, timeout }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${[file, ...args].join(' ')} failed:\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}
