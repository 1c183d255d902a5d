import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createDirectory } from '../support/process.js';

vi.setConfig({ testTimeout: 180_000 });

const options = { interval: 20, timeout: 80_000 };

/** Copies the files that `npm run dev` needs to a temporary directory. */
function createCopy(): string {
  const directory = createDirectory();
  const files = ['package.json', 'tsconfig.json', '.npmrc'];
  for (const name of ['codegen', 'src', 'packages', ...files])
    cpSync(name, join(directory, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  return directory;
}

/** Starts `npm run dev`, and kills its processes when the test ends. Returns what reads its output. */
function startDev(directory: string) {
  const child = spawn('npm', ['run', 'dev'], {
    cwd: directory,
    // Makes a process group, so that the test can kill the child processes of npm and tsx as well.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      // npm would warn of settings of the user that it does not know.
      npm_config_userconfig: join(directory, 'none'),
      PORT: '0',
      EMULATOR_PORT: '0',
      EMULATOR_DB: ':memory:',
    },
  });
  onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return () => output;
}

it('npm run dev shows the place of a syntax error, and restarts when the file of a package changes', async () => {
  const directory = createCopy();
  const path = 'packages/emulator/src/store.ts';
  const file = join(directory, path);
  const text = readFileSync(file, 'utf8');
  appendFileSync(file, 'const a b = 1;\n');
  const read = startDev(directory);
  const line = text.split('\n').length;
  const problem = `${path}:${line}:8: ERROR`;

  await expect.poll(read, options).toContain(problem);
  writeFileSync(file, text);
  await expect.poll(read, options).toContain('study-gateway is ready.');
});
