import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { everyNth } from '../support/daily.js';
import { CreateStudyDocument } from 'study-gateway-client';
import {
  findFreePort,
  runOperation,
  startProgram,
  takePort,
  type Program,
} from '../support/process.js';
import { main } from '../support/program.js';
import { toPostInit } from '../support/post.js';
import { openStalledPipe } from './stalled.fixture.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 20_000 });

/** Starts the program with a Study API, on a known port, so that the test need not read stdout. */
async function startUnheard(env: Record<string, string>, stdout?: number) {
  const [studyApi, port] = await Promise.all([
    startStudyApi(answerJson(wholeStudy)),
    findFreePort(),
  ]);
  const program = startProgram({
    env: { STUDY_API_URL: studyApi.url, PORT: String(port), ...env },
    ...(stdout !== undefined && { stdout }),
  });
  return { program, url: `http://127.0.0.1:${port}` };
}

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

/** Waits until the program listens, makes three writes, and stops the program. */
async function use(url: string, { kill, exit }: Program) {
  const isReady = () => fetch(`${url}/health/ready`).then(({ ok }) => ok, String);
  await expect.poll(isReady, { interval: 20, timeout: 10_000 }).toBe(true);
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
/** `process.exit` would wait for the thread that writes the log. */
const killed = { ...used, code: null, signal: 'SIGKILL' };

it.for(everyNth(2, ['production', 'development']))(
  'keeps serving when the reader of its log is gone, in %s',
  async (NODE_ENV) => {
    const { program, url } = await startUnheard({ NODE_ENV });
    // Closes the reading end, as `| head -0` does.
    program.child.stdout?.destroy();

    expect(await use(url, program)).toEqual(used);
  },
);

it.skipIf(!existsSync('/dev/full')).for(everyNth(2, ['production', 'development']))(
  'keeps serving when the disk of its log is full, in %s',
  async (NODE_ENV) => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const { program, url } = await startUnheard({ NODE_ENV }, full);

    expect(await use(url, program)).toEqual(used);
  },
);

it('keeps serving when nobody reads its log, of which it keeps at most 1 MiB', async () => {
  const { program, url } = await startUnheard({ NODE_ENV: 'production' });
  const { stdout } = program.child;
  // The pipe is full after 64 KiB.
  stdout?.pause();
  await expect.poll(() => create(url).catch(String), { timeout: 10_000 }).toEqual(created);
  const name = 'n'.repeat(64);
  const headers = {
    authorization: 'Bearer demo-token',
    'apollographql-client-name': name,
    'apollographql-client-version': name,
  };
  // Each has a line of 600 bytes.
  const query = `mutation ${name} { createStudy(input: {}) { id } }`;
  const send = () => fetch(`${url}/graphql`, toPostInit({ query }, headers)).then(({ ok }) => ok);
  for (let round = 0; round < 30; round++)
    expect(new Set(await Promise.all(Array.from({ length: 100 }, send)))).toEqual(new Set([true]));

  stdout?.resume();
  expect(await use(url, program)).toEqual(used);
  const { length } = (await program.exit).stdout;
  expect([length > 900_000, length < 1_300_000]).toEqual([true, true]);
});

it.for(everyNth(2, ['production', 'development']))(
  'ends by a signal when its log is stalled, in %s',
  { tags: ['coreutils'] },
  async (NODE_ENV) => {
    const { program, url } = await startUnheard({ NODE_ENV }, openStalledPipe());

    expect(await use(url, program)).toEqual(killed);
  },
);

it.for(everyNth(2, ['production', 'development']))(
  'keeps serving, and ends by a signal, when its terminal is stalled, in %s',
  { tags: ['script'] },
  async (NODE_ENV) => {
    const { pid, terminal, url } = await startOnTerminal({ NODE_ENV });
    await expect.poll(() => create(url).catch(String), { timeout: 10_000 }).toEqual(created);
    terminal.kill('SIGSTOP');

    // Logs more than the buffer of the terminal holds, which is less than 64 KiB.
    for (let round = 0; round < 4; round++)
      await Promise.all(Array.from({ length: 100 }, () => create(url)));
    process.kill(pid, 'SIGTERM');
    const isGone = () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    await expect.poll(isGone, { interval: 20, timeout: 10_000 }).toBe(true);

    terminal.kill('SIGCONT');
    // `script` exits with 128 and the number of the signal, SIGKILL.
    expect(await once(terminal, 'exit')).toEqual([137, null]);
  },
);

it('ends when it cannot start and its log is stalled', { tags: ['coreutils'] }, async () => {
  const PORT = String(await takePort());
  const { exit } = startProgram({ env: { PORT }, stdout: openStalledPipe() });

  expect(await exit).toMatchObject({ code: null, signal: 'SIGKILL' });
});

it('writes the line of every operation before it ends', async () => {
  const { program, url } = await startUnheard({ NODE_ENV: 'production' });
  await expect.poll(() => create(url).catch(String), { timeout: 10_000 }).toEqual(created);

  await Promise.all(Array.from({ length: 200 }, () => create(url)));
  program.kill('SIGTERM');

  const { code, stdout } = await program.exit;
  expect([code, stdout.match(/"msg":"operation"/g)?.length]).toEqual([0, 201]);
});
