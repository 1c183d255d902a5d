import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CreateStudyDocument } from 'study-gateway-client';
import { expect, it, onTestFinished } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
import { toPostInit } from '../support/post.js';
import {
  createDirectory,
  findFreePort,
  runOperation,
  startProgram,
  type Program,
} from '../support/process.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

/** Starts the program on a known port, so that the test need not read stdout. */
async function startUnheard(api: { url: string }, env: Record<string, string>, stdout?: number) {
  const port = await findFreePort();
  const program = startProgram({
    env: { STUDY_API_URL: api.url, PORT: String(port), ...env },
    ...(stdout !== undefined && { stdout }),
  });
  return { program, url: `http://127.0.0.1:${port}` };
}

const isReady = (url: string) => fetch(`${url}/health/ready`).then(({ ok }) => ok, String);
async function waitUntilReady(url: string): Promise<void> {
  await expect.poll(() => isReady(url), { interval: 20 }).toBe(true);
}

/** Waits until the program listens, makes three writes, and stops the program. */
async function use(url: string, { kill, exit }: Program) {
  await waitUntilReady(url);
  const answers = [await create(url), await create(url), await create(url)];
  kill('SIGTERM');
  const { code, signal, stderr } = await exit;
  return { answers, code, signal, stderr };
}

function create(url: string): Promise<unknown> {
  return runOperation(url, CreateStudyDocument, { input: {} });
}

const created = { data: { createStudy: wholeStudy } };
const used = { answers: [created, created, created], code: 0, signal: null, stderr: '' };

it('keeps serving when the reader of its log is gone', async () => {
  const api = await startStudyApi(answerJson(wholeStudy));
  const { program, url } = await startUnheard(api, { NODE_ENV: 'production' });
  // Closes the reading end, as `| head -0` does.
  program.child.stdout?.destroy();

  expect(await use(url, program)).toEqual(used);
});

it.skipIf(!existsSync('/dev/full'))('keeps serving when the disk of its log is full', async () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const api = await startStudyApi(answerJson(wholeStudy));
  const { program, url } = await startUnheard(api, { NODE_ENV: 'development' }, full);

  expect(await use(url, program)).toEqual(used);
});

it('keeps serving when nobody reads its log, of which it keeps at most 1 MiB', async () => {
  const api = await startStudyApi(answerJson(wholeStudy));
  const { program, url } = await startUnheard(api, { NODE_ENV: 'production' });
  const { stdout } = program.child;
  // The pipe is full after 64 KiB.
  stdout?.pause();
  await waitUntilReady(url);
  const name = 'n'.repeat(64);
  const headers = { 'apollographql-client-name': name, 'apollographql-client-version': name };
  // Each has a line of 450 bytes.
  const query = `query ${name} { __typename }`;
  const send = () => fetch(`${url}/graphql`, toPostInit({ query }, headers)).then(({ ok }) => ok);
  for (let round = 0; round < 30; round++)
    expect(new Set(await Promise.all(Array.from({ length: 100 }, send)))).toEqual(new Set([true]));

  stdout?.resume();
  expect(await use(url, program)).toEqual(used);
  const { length } = (await program.exit).stdout;
  expect([length > 900_000, length < 1_300_000]).toEqual([true, true]);
});

/** Returns a file descriptor of a full pipe that nobody reads. A write to the descriptor blocks. */
function openStalledPipe(): number {
  const path = join(createDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const filling = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  // Opened separately, so that this descriptor does not share O_NONBLOCK, and writes to it block.
  const stalled = openSync(path, constants.O_WRONLY);
  onTestFinished(() => {
    closeSync(stalled);
    closeSync(filling);
  });
  try {
    for (;;) writeSync(filling, Buffer.alloc(4_096));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
  }
  return stalled;
}

it(
  'keeps serving when its log is stalled, and ends by SIGKILL three seconds after the grace at the latest',
  { tags: ['coreutils'] },
  async () => {
    const api = await startHoldingApi();
    const env = { NODE_ENV: 'production', SHUTDOWN_GRACE_MS: '100' };
    const { program, url } = await startUnheard(api, env, openStalledPipe());
    await waitUntilReady(url);
    const first = create(url);
    await api.holds(1);
    api.answerNext();
    expect(await first).toEqual(created);
    const held = create(url);
    await api.holds(1);
    const startedAt = performance.now();

    program.kill('SIGTERM');

    // `process.exit` would wait for the thread that writes the log.
    expect(await program.exit).toMatchObject({ code: null, signal: 'SIGKILL', stderr: '' });
    // Upper bound: the grace and 3 s, and four more for a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(7_100);
    expect(await held).toMatchObject({ errors: [{ extensions: { outcome: 'UNKNOWN' } }] });
  },
);
