import { execFile } from 'node:child_process';
import { cpSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { createDirectory, startReadyProgram } from '../support/process.js';

vi.setConfig({ testTimeout: 90_000 });

const run = promisify(execFile);

const version = `${manifest.engines.node.replace('>=', '')}.0`;

/** Installs the oldest Node that package.json allows, and returns its path. */
async function installNode(): Promise<string> {
  const directory = createDirectory();
  const name = `node-linux-${process.arch}`;
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--prefer-offline'];
  await run('npm', ['install', ...quiet, '--prefix', directory, `${name}@${version}`]);
  return join(directory, 'node_modules', name, 'bin/node');
}

it('creates a study, and stops, and npm ci prints no warning, on the oldest Node that package.json allows', async () => {
  const node = await installNode();
  const { stdout: printed } = await run(node, ['--version']);

  const { curl, kill, exit } = await startReadyProgram({ node });
  const { stdout } = await run('sh', ['-c', curl]);
  kill('SIGINT');

  expect(printed).toBe(`v${version}\n`);
  expect(JSON.parse(stdout)).toEqual({
    data: { createStudy: expect.objectContaining({ id: expect.any(String) }) },
  });
  expect(await exit).toMatchObject({ code: 0, signal: null });

  const npm = realpathSync((await run('sh', ['-c', 'command -v npm'])).stdout.trim());
  const clone = createDirectory();
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(name, join(clone, name));
  const env = { HOME: clone, PATH: `${dirname(node)}:${process.env.PATH}` };
  const args = [npm, 'ci', '--dry-run', '--offline', '--no-audit'];
  const { stderr } = await run(node, args, { cwd: clone, env, maxBuffer: 2 ** 24 });
  expect(stderr).toBe('');
});
