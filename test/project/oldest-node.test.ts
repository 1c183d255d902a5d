import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { createDirectory, startReadyProgram } from '../support/process.js';

vi.setConfig({ testTimeout: 90_000 });

const run = promisify(execFile);

it('creates a study, and stops, on the oldest Node that package.json allows', async () => {
  const directory = createDirectory();
  const version = `${manifest.engines.node.replace('>=', '')}.0`;
  const name = `node-linux-${process.arch}`;
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--prefer-offline'];
  await run('npm', ['install', ...quiet, '--prefix', directory, `${name}@${version}`]);
  const node = join(directory, 'node_modules', name, 'bin/node');

  const { curl, kill, exit } = await startReadyProgram({ node });
  const { stdout } = await run('sh', ['-c', curl]);
  kill('SIGINT');

  expect(JSON.parse(stdout)).toEqual({
    data: { createStudy: expect.objectContaining({ id: expect.any(String) }) },
  });
  expect(await exit).toMatchObject({ code: 0, signal: null });
  const { stdout: printed } = await run(node, ['--version']);
  expect(printed).toBe(`v${version}\n`);
});
