// @module-tag bash

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { daily } from '../support/daily.js';
import { answerAll, failures } from '../execution/programs.fixture.js';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';
import { root, run } from '../support/run.js';
import { checkAuthorize, checkField, type Place } from '../additions/examples.fixture.js';
import { createFolder, remove, toPacked } from './project.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const directory = createFolder();
const project = join(directory, 'project');
const steps = ['version', 'pack', 'sbom', 'try'];
beforeAll(() => run(root, 'bash', ['.ci/release', directory, ...steps]));
afterAll(() => remove(directory));

/** Runs a command with npx in the project until the test ends. Returns the first match of `pattern` in its output. */
async function npx(command: string, pattern: RegExp, env = {}): Promise<RegExpExecArray> {
  const child = spawn('npx', ['--no', command], {
    cwd: project,
    env: { ...pickEnvironment(), PORT: '0', EMULATOR_PORT: '0', EMULATOR_DB: ':memory:', ...env },
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
  await expect.poll(() => output, { timeout: 50_000 }).toMatch(pattern);
  return pattern.exec(output)!;
}

/** Returns what npx needs of this process's environment to run: no variable of the gateway. */
function pickEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME };
}

it('a dry release packs all packages with an SBOM, and creates a study with the installed gateway', () => {
  const names = ['', '-client', '-contract', '-emulator'].map((name) => `study-gateway${name}`);
  const packed = [...names, 'planned-execution', 'rest-outcome'].map((name) =>
    basename(toPacked(directory, name)),
  );

  expect(readdirSync(directory).toSorted()).toEqual(
    [...packed, 'project', 'study-gateway.cdx.json'].toSorted(),
  );
});

it('the document names the command', () => {
  const document = readFileSync(join(root, 'docs/operations.md'), 'utf8');

  expect(document).toContain('\nnpx study-gateway\n');
});

/** The first example of a package's README, and what the README says that it prints. */
function readExample(name: string): string[] {
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');
  return /^```js\n([^]*?)^```\n\n```text\n([^]*?)^```$/m.exec(readme)?.slice(1) ?? [];
}

it.for(['contract', 'emulator', 'planned-execution', 'rest-outcome'])(
  'runs the example in the README of the %s',
  async (name) => {
    const emulator = await startTestEmulator();
    const { url } = await startTestGateway({ studyApiUrl: emulator.url });
    const [code = '', output] = readExample(name);
    const file = join(project, `${name}.js`);
    writeFileSync(file, code.replace('http://127.0.0.1:4000', url));

    expect(await run(project, process.execPath, [file])).toBe(output);
  },
);

/** The examples as they stand, type-checked against the packed declarations, and run against the packed gateway. */
it('runs the examples of additions with the packed files', async () => {
  const place: Place = { folder: project, cwd: project };
  cpSync(join(root, 'examples/additions'), project, { recursive: true });
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    experimentalDecorators: true,
    skipLibCheck: true,
    noEmit: true,
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
  };
  const files = ['authorize.ts', 'field.ts'];
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));

  await run(project, process.execPath, [join(root, 'node_modules/typescript/bin/tsc')]);
  const checks = Promise.all([checkField(place), checkAuthorize(place)]);
  await expect(checks).resolves.toHaveLength(2);
});

it('starts with the contract in the README of its package', async () => {
  const readme = readFileSync(join(root, 'packages/contract/README.md'), 'utf8');
  const [, shown = ''] = /^```json\n([^]*?)^```$/m.exec(readme) ?? [];
  const STUDY_API_CONTRACT = join(project, 'study-api.json');
  writeFileSync(STUDY_API_CONTRACT, shown);

  const env = { STUDY_API_URL: 'http://127.0.0.1:9', STUDY_API_CONTRACT };
  const [, gateway] = await npx('study-gateway', /^ +GraphQL +(\S+)\/graphql$/m, env);

  expect((await fetch(`${gateway}/schema.graphql`)).status).toBe(200);
});

daily(() => {
  // In each run, test/machines/dockerfile.test.ts compares the bundle with the build.
  it('answers alike from the build, from the packed files and from the sources', async () => {
    const others = [
      { script: join(project, 'node_modules/study-gateway/dist/main.js') },
      { script: join(root, 'src/main.ts'), nodeArgs: ['--import', 'tsx'], cwd: root },
    ];
    const build = await answerAll({});

    expect(Object.keys(build.failures).toSorted()).toEqual(failures.toSorted());
    expect(JSON.stringify(build.failures)).not.toContain('INTERNAL_SERVER_ERROR');
    // One after the other: each takes all cores.
    for (const other of others) expect(await answerAll(other)).toEqual(build);
  });
});
