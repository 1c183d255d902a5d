// @module-tag chromium

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import copied from '../../examples/react/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { run } from '../support/run.js';
import { openPage, typeInto } from '../support/browser.js';
import { daily } from '../support/daily.js';

vi.setConfig({ testTimeout: 60_000 });

const ports = { PORT: '0', EMULATOR_PORT: '0', EXAMPLE_PORT: '0' };
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts what `npm run example` runs, on free ports. It is killed when the test ends. */
function startScript() {
  const [, ...args] = manifest.scripts.example.split(' ');
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, ...ports, EMULATOR_DB: ':memory:', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exit = once(child, 'close') as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { child, exit, output: () => output };
}

/** An address that the script has printed. */
async function readAddress(output: () => string, label: string): Promise<string> {
  const pattern = new RegExp(`^ +${label} +(http:[^\\s]+)`, 'm');
  await expect.poll(output, { timeout: 30_000 }).toMatch(/Ctrl-C ends all three/);
  return pattern.exec(output())?.[1] ?? output();
}

it('starts gateway, emulator and app with one command, and ends them with Ctrl-C', async () => {
  const { child, exit, output } = startScript();
  const app = await readAddress(output, 'In a browser');
  const gateway = await readAddress(output, 'GraphQL');
  const { page, foreign, complaints } = await openPage(
    new URL(app).origin,
    new URL(gateway).origin,
  );
  await page.goto(app);
  await page.getByRole('link', { name: 'Create the first one' }).click();
  await typeInto(page.getByLabel('Question'), 'Why?');
  await page.getByRole('button', { name: 'Create study' }).click();
  await page.getByRole('heading', { name: 'Why?' }).waitFor();
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });

  child.kill('SIGINT');

  expect(await exit).toEqual([0, null]);
  await expect(fetch(app)).rejects.toThrow('fetch failed');
  await expect(fetch(gateway)).rejects.toThrow('fetch failed');
});

// Daily: `npm run check` type-checks the example, and the other tests build it, where it stands.
daily(() => {
  it('type-checks and builds in a project of its own', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'study-gateway-example-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const project = join(directory, 'project');
    cpSync(join(root, 'examples/react'), project, {
      recursive: true,
      filter: (path) => !path.includes('node_modules') && !path.endsWith('start.ts'),
    });
    // As an installation would lay them out, without one.
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    const bin = join(root, 'node_modules/.bin');

    await run(project, join(bin, 'tsc'), []);
    const built = await run(project, join(bin, 'vite'), ['build']);

    expect(built).toContain('dist/index.html');
  });
});

it('needs the versions that are tested here', () => {
  const { 'study-gateway-client': own, ...dependencies } = copied.dependencies;

  expect(own).toBe('file:../../packages/client');
  expect({ ...manifest.dependencies, ...manifest.devDependencies }).toMatchObject({
    ...dependencies,
    ...copied.devDependencies,
  });
});
