import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import { answerAll, failures } from '../execution/programs.fixture.js';
import { allDaily } from '../support/daily.js';
import { findFreePort, runOperation, startProgram, toPreload } from '../support/process.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { buildStages, isInContext, readAll, readStages } from './dockerfile.fixture.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Maximum size of the application's files in the image. */
const MAX_SIZE_MB = 15;

let directory: string;
/** The directory of the last stage, which nobody may write to. */
let place: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'study-gateway-image-'));
  place = buildStages(directory);
  makeUnwritable(place);
  // Lets another user enter the directory.
  chmodSync(directory, 0o755);
});
afterAll(() => {
  makeWritable(directory);
  rmSync(directory, { recursive: true });
});

function sizeOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Makes all files read-only, as in the image: there they belong to root, and the program runs as another user. */
function makeUnwritable(path: string): void {
  for (const file of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (!file.isSymbolicLink())
      chmodSync(join(file.parentPath, file.name), file.isFile() ? 0o444 : 0o555);
  chmodSync(path, 0o555);
}

function makeWritable(path: string): void {
  for (const folder of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (folder.isDirectory()) chmodSync(join(folder.parentPath, folder.name), 0o755);
  chmodSync(path, 0o755);
}

const last = readStages().at(-1)!;
const [user = ''] = readAll(last, 'USER');
const [uid, gid] = user.split(':').map(Number) as [number, number];
const image = Object.fromEntries(
  readAll(last, 'ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=', 2))),
) as Record<string, string>;

function toCommand(text = ''): [string, string[]] {
  const [command = '', ...args] = JSON.parse(text) as string[];
  return [command, args];
}

/** Starts the image's command as the image's user. Stops it when the test ends. */
async function runImage(own: Record<string, string>) {
  const studyApi = await startStudyApi(answerJson(wholeStudy));
  const port = await findFreePort();
  const env = {
    ...image,
    // The bundle has a cache of its own.
    NODE_COMPILE_CACHE: '',
    PORT: String(port),
    METRICS_PORT: String(await findFreePort()),
    STUDY_API_URL: studyApi.url,
    ...own,
  };
  const user = process.getuid?.() === 0 ? { uid, gid } : {};
  const [node, [script = '']] = toCommand(readAll(last, 'CMD')[0]);
  expect(node).toBe('node');
  const program = startProgram({ script: join(place, script), cwd: place, user, env });
  await program.printed(/listening/);
  const [health = ''] = readAll(last, 'HEALTHCHECK');
  /** Runs the health check of the image with the Node of this test, and returns its exit code. */
  const checkHealth = (): number | null => {
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
    const options = { ...user, cwd: place, env: { PATH, ...env } };
    return spawnSync(...toCommand(/ CMD (\[.*\])$/.exec(health)?.[1]), options).status;
  };
  return { ...program, url: `http://127.0.0.1:${port}`, checkHealth };
}

it('excludes secrets, local data and the git history from the build context', () => {
  for (const path of [
    '.git',
    'node_modules',
    '.env',
    'test',
    '.data/emulator.sqlite',
    'dist',
    'bundle',
  ])
    expect([path, isInContext(path)]).toEqual([path, false]);
});

it('runs the bundle and its code cache as the user of the Dockerfile, with a working health check', async () => {
  // Makes Node print lines about V8's code cache of the bundle.
  const env = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { url, kill, exit, checkHealth } = await runImage(env);

  const answer = await runOperation(url, CreateStudyDocument, { input: {} });
  expect(answer).toEqual({ data: { createStudy: wholeStudy } });
  expect(checkHealth()).toBe(0);
  kill(readAll(last, 'STOPSIGNAL')[0] as NodeJS.Signals);
  expect(await exit).toMatchObject({
    code: 0,
    signal: null,
    stderr: expect.stringMatching(/V8 code cache for ESM \S+gateway\.js was accepted/),
  });
  expect(checkHealth()).toBe(1);

  expect(uid).toBeGreaterThan(0);
  expect(image['NODE_ENV']).toBe('production');
});

it('has no packages beside the bundle, and is small', () => {
  expect(existsSync(join(place, 'node_modules'))).toBe(false);
  expect(readdirSync(join(place, 'dist')).toSorted()).toEqual([
    'cache',
    'explorer',
    'gateway.js',
    'gateway.js.map',
    'licences.txt',
    'main.js',
    'sbom.cyclonedx.json',
  ]);
  expect(sizeOf(place) / 1e6).toBeLessThan(MAX_SIZE_MB);
});

it('names source files in stack traces', async () => {
  const nodeArgs = toPreload(`import { Server } from 'node:net';
    Server.prototype.listen = () => { throw new Error('no listening'); };`);

  const env = { STUDY_API_URL: 'http://127.0.0.1:1' };

  const { exit } = startProgram({ script: join(place, 'dist/main.js'), nodeArgs, env });

  const { code, stdout } = await exit;
  expect(code).toBe(1);
  expect(stdout).toMatch(/at async openAll \(\S+\/src\/gateway\.ts:\d+:\d+\)/);
});

it('has the licence of each bundled package, and each in its SBOM', () => {
  const read = (name: string): string => readFileSync(join(place, 'dist', name), 'utf8');
  // esbuild names each module of a lazy bundle by its path.
  const modules = read('gateway.js').matchAll(
    /"[^"\s]*node_modules\/((?:@[^"/]+\/)?[^"/]+)\/[^"]+"\(/g,
  );
  const bundled = new Set(Array.from(modules, ([, name]) => name!));
  const named = [...read('licences.txt').matchAll(/^-{80}\n(\S+) \S+ \(\S.*\)$/gm)];
  const { components } = JSON.parse(read('sbom.cyclonedx.json')) as {
    components: { name: string }[];
  };

  expect(bundled.size).toBeGreaterThan(100);
  expect([...bundled].filter((name) => !named.some(([, other]) => other === name))).toEqual([]);
  expect(components.map(({ name }) => name)).toEqual(named.map(([, name]) => name));
});

it('has one copy of each package whose copies would not know each other', () => {
  const bundle = readFileSync(join(place, 'dist/gateway.js'), 'utf8');

  // The modules of graphql that are no ES modules, and those of type-graphql, are other copies.
  const other = /node_modules\/(?:graphql\/[^"]+\.js"|type-graphql\/build\/cjs\/)/.exec(bundle);
  expect(other?.[0]).toBeUndefined();
});

it('answers as the build does', async () => {
  const few = [
    'redirected',
    'invalid',
    'unauthenticated',
    'unavailable',
    'connectionLost',
    'entityNotShown',
  ];
  const names = allDaily(failures, few);

  const bundle = await answerAll({ script: join(place, 'dist/main.js') }, names);

  expect(Object.values(bundle).flatMap(Object.keys).length).toBeGreaterThanOrEqual(40);
  expect(bundle).toEqual(await answerAll({}, names));
});
