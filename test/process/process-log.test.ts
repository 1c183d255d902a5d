import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CreateStudyDocument } from 'study-gateway-client';
import { expect, it, onTestFinished } from 'vitest';
import { daily, everyNth } from '../support/daily.js';
import { startHoldingApi } from '../support/held-calls.js';
import { toPostInit } from '../support/post.js';
import {
  createDirectory,
  findFreePort,
  runOperation,
  startProgram,
  takePort,
  type Program,
} from '../support/process.js';
import { main } from '../support/program.js';
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

it.for(everyNth(2, ['production', 'development']))(
  'keeps serving when the reader of its log is gone, in %s',
  async (NODE_ENV) => {
    const api = await startStudyApi(answerJson(wholeStudy));
    const { program, url } = await startUnheard(api, { NODE_ENV });
    // Closes the reading end, as `| head -0` does.
    program.child.stdout?.destroy();

    expect(await use(url, program)).toEqual(used);
  },
);

it.skipIf(!existsSync('/dev/full')).for(everyNth(2, ['development', 'production']))(
  'keeps serving when the disk of its log is full, in %s',
  async (NODE_ENV) => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const api = await startStudyApi(answerJson(wholeStudy));
    const { program, url } = await startUnheard(api, { NODE_ENV }, full);

    expect(await use(url, program)).toEqual(used);
  },
);

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
  for (let round = 0; round < 40; round++)
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

it('ends when it cannot start and its log is stalled', { tags: ['coreutils'] }, async () => {
  const PORT = String(await takePort());
  const { exit } = startProgram({ env: { PORT }, stdout: openStalledPipe() });

  expect(await exit).toMatchObject({ code: null, signal: 'SIGKILL' });
});

/** Starts the program on a terminal. The terminal stalls when the process `script` behind the terminal is suspended. */
async function startOnTerminal(env: Record<string, string>) {
  const [studyApi, port] = await Promise.all([
    startStudyApi(answerJson(wholeStudy)),
    findFreePort(),
  ]);
  const command = `echo PID $$; exec '${process.execPath}' '${main}'`;
  const terminal = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, STUDY_API_URL: studyApi.url, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = (await once(terminal.stdout, 'data')) as [Buffer];
  const pid = Number(/PID (\d+)/.exec(first.toString())?.[1]);
  onTestFinished(() => {
    // The program has already exited if the test has passed.
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
    terminal.kill('SIGKILL');
  });
  terminal.stdout.resume();
  return { pid, terminal, url: `http://127.0.0.1:${port}` };
}

daily(() => {
  it.for(['production', 'development'])(
    'keeps serving, and ends by a signal, when its terminal is stalled, in %s',
    { tags: ['script'] },
    async (NODE_ENV) => {
      const { pid, terminal, url } = await startOnTerminal({ NODE_ENV });
      await waitUntilReady(url);
      terminal.kill('SIGSTOP');

      // Logs more than the buffer of the terminal holds, which is less than 64 KiB.
      for (let round = 0; round < 4; round++)
        await Promise.all(Array.from({ length: 100 }, () => create(url)));
      process.kill(pid, 'SIGTERM');
      const isGone = () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
      await expect.poll(isGone, { interval: 20 }).toBe(true);

      terminal.kill('SIGCONT');
      // `script` exits with 128 and the number of the signal, SIGKILL.
      expect(await once(terminal, 'exit')).toEqual([137, null]);
    },
  );
});
