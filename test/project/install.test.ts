import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDirectory } from '../support/process.js';

/** Creates a clone in which `npm ci` has not run. */
function createClone(): string {
  const directory = createDirectory();
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(name, join(directory, name));
  return directory;
}

function runNpm(cwd: string, ...args: string[]) {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: cwd };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
    execFile('npm', args, { cwd, env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

it.for([['start'], ['run', 'dev'], ['run', 'emulator']])(
  'npm %s says in one line that npm ci must run first',
  async (args) => {
    const { code, stderr } = await runNpm(createClone(), ...args);

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'study-gateway is not installed yet: run npm ci first.\n',
    });
  },
);

it('git ignores the files that npm pack makes', () => {
  expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('*.tgz');
});
