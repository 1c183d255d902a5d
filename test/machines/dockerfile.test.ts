import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import { createDirectory, findFreePort, runOperation } from '../support/process.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { buildStages, isInContext, readAll, readStages } from './dockerfile.fixture.js';

vi.setConfig({ testTimeout: 120_000 });

/** Maximum size of the files in the last stage. */
const MAX_SIZE_MIB = 100;

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

function waitForLine(output: Readable, text: string): Promise<void> {
  let all = '';
  return new Promise((resolve) => {
    output.on('data', (chunk) => {
      all += String(chunk);
      if (all.includes(text)) resolve();
    });
  });
}

it('excludes secrets, local data and the git history from the build context', () => {
  for (const path of ['.git', 'node_modules', '.env', 'test', '.data/emulator.sqlite', 'dist'])
    expect([path, isInContext(path)]).toEqual([path, false]);
});

it('runs the built program as the non-root user of the Dockerfile, with a working health check', async () => {
  const stages = readStages();
  const last = stages.at(-1)!;
  const directory = createDirectory();
  const place = buildStages(directory);
  onTestFinished(() => {
    for (const folder of readdirSync(place, { recursive: true, withFileTypes: true }))
      if (folder.isDirectory()) chmodSync(join(folder.parentPath, folder.name), 0o755);
    chmodSync(place, 0o755);
  });
  const size = sizeOf(place) / 2 ** 20;
  makeUnwritable(place);
  // Lets the other user enter the directory.
  chmodSync(directory, 0o755);

  const [user = ''] = readAll(last, 'USER');
  const [uid, gid] = user.split(':').map(Number) as [number, number];
  const isRoot = process.getuid?.() === 0;
  const image = Object.fromEntries(
    readAll(last, 'ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=', 2))),
  ) as Record<string, string>;
  const studyApi = await startStudyApi(answerJson(wholeStudy));
  const port = await findFreePort();
  const options = {
    cwd: place,
    env: {
      // Uses the Node of this test in place of the Node in the image.
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      ...image,
      PORT: String(port),
      METRICS_PORT: String(await findFreePort()),
      STUDY_API_URL: studyApi.url,
    },
    ...(isRoot && { uid, gid }),
  };
  const toCommand = (text = ''): [string, string[]] => {
    const [command = '', ...args] = JSON.parse(text) as string[];
    return [command, args];
  };
  const [health = ''] = readAll(last, 'HEALTHCHECK');
  const checkHealth = (): number | null =>
    spawnSync(...toCommand(/ CMD (\[.*\])$/.exec(health)?.[1]), options).status;

  const [program, args] = toCommand(readAll(last, 'CMD')[0]);
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const failed = ended.then(([code]) => Promise.reject(new Error(`It ended with ${code}.`)));
  failed.catch(() => {});
  await Promise.race([waitForLine(child.stdout, 'listening'), failed]);

  const url = `http://127.0.0.1:${port}`;
  const answer = await runOperation(url, CreateStudyDocument, { input: {} });
  expect(answer).toEqual({ data: { createStudy: wholeStudy } });
  expect(checkHealth()).toBe(0);
  child.kill(readAll(last, 'STOPSIGNAL')[0] as NodeJS.Signals);
  expect(await ended).toEqual([0, null]);
  expect(checkHealth()).toBe(1);

  expect(uid).toBeGreaterThan(0);
  expect(image['NODE_ENV']).toBe('production');
  // Dev dependencies must be absent. The package `node` would also precede the Node of the image in npm scripts.
  for (const name of ['node', 'typescript', 'vitest', 'react'])
    expect([name, existsSync(join(place, 'node_modules', name))]).toEqual([name, false]);
  expect(size).toBeLessThan(MAX_SIZE_MIB);
});
