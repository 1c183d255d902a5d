import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import { runOperation } from '../support/process.js';
import { run } from '../support/run.js';
import { packBoth, remove } from './project.fixture.js';

vi.setConfig({ testTimeout: 120_000 });

it('npx runs the gateway and its emulator from the packed file', async () => {
  const packages = await packBoth();
  onTestFinished(() => remove(packages.directory));
  // What npx installs goes with the test; what npm has downloaded before is found.
  const cache = join(packages.directory, 'cache');
  mkdirSync(cache);
  const known = (await run(packages.directory, 'npm', ['config', 'get', 'cache'])).trim();
  mkdirSync(join(known, '_cacache'), { recursive: true });
  symlinkSync(join(known, '_cacache'), join(cache, '_cacache'));
  // npx takes an absolute path for a command to run.
  const file = `./${basename(packages.gateway)}`;
  const child = spawn('npx', ['--yes', '--prefer-offline', file], {
    cwd: packages.directory,
    env: { ...pickEnvironment(), npm_config_cache: cache, PORT: '0', EMULATOR_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npx hands no signal on: its whole group must end.
    detached: true,
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
    await ended;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await expect.poll(() => output, { timeout: 100_000 }).toContain('study-gateway is ready.');

  const url = /^ +GraphQL +(\S+)\/graphql /m.exec(output)?.[1] ?? output;
  const answer = await runOperation(url, CreateStudyDocument, { input: { description: 'Why?' } });

  expect(answer).toMatchObject({ data: { createStudy: { description: 'Why?' } } });
});

/** Returns what npx needs of this process's environment to run and to reach the registry: no variable of the gateway. */
function pickEnvironment(): NodeJS.ProcessEnv {
  const needed = /^(PATH|HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|https?_proxy|no_proxy)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name)));
}
