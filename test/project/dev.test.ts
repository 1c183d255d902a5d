import { spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createDirectory } from '../support/process.js';

it('npm run dev starts anew when a file deep in src changes', { timeout: 60_000 }, async () => {
  const directory = createDirectory();
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(name, join(directory, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const child = spawn('npm', ['run', 'dev'], {
    cwd: directory,
    // npm and tsx start processes of their own: all of them end as one group.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], PORT: '0', EMULATOR_PORT: '0', EMULATOR_DB: ':memory:' },
  });
  onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const printed = async (text: string): Promise<void> => {
    await expect.poll(() => output, { interval: 20, timeout: 25_000 }).toContain(text);
  };

  await printed('study-gateway is ready.');
  const banner = join(directory, 'src/process/banner.ts');
  writeFileSync(banner, readFileSync(banner, 'utf8').replace('is ready.', 'is ready again.'));

  await printed('study-gateway is ready again.');
});
