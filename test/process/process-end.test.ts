import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import {
  findFreePort,
  startProgram,
  startReadyProgram,
  type Program,
  type ReadyProgram,
} from '../support/process.js';
import { write, type Fate } from '../soak/client.js';
import { answer } from '../soak/faults.js';
import { startStudyLedger, type StudyLedger, type Write } from '../soak/study-ledger.js';
import { createPipe, openStalledPipe } from './stalled.fixture.js';

vi.setConfig({ testTimeout: 20_000 });

/** Longer than any test. */
const FOREVER_MS = '600000';

interface Holding {
  readonly program: ReadyProgram;
  readonly studyApi: StudyLedger;
  /** The write that is under way; the Study API waits for the test to answer it. */
  readonly held: Write;
  readonly fate: Promise<Fate>;
}

/** The program with one call under way. */
async function startHolding(
  env: Record<string, string>,
  nodeArgs: readonly string[] = [],
  key?: string,
): Promise<Holding> {
  const arrival = Promise.withResolvers<Write>();
  const studyApi = await startStudyLedger(arrival.resolve);
  onTestFinished(() => studyApi.close());
  const program = await startReadyProgram({
    env: { STUDY_API_URL: studyApi.url, STUDY_API_TIMEOUT_MS: FOREVER_MS, ...env },
    nodeArgs,
  });
  const fate = write({ url: program.url, agent: false, ...(key && { key }) }, 'held');
  return { program, studyApi, held: await arrival.promise, fate };
}

/** The same, with a log that nobody reads. */
async function startStalled(env: Record<string, string>, nodeArgs: readonly string[] = []) {
  const arrival = Promise.withResolvers<Write>();
  const studyApi = await startStudyLedger(arrival.resolve);
  onTestFinished(() => studyApi.close());
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const program: Program = startProgram({
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      STUDY_API_URL: studyApi.url,
      STUDY_API_TIMEOUT_MS: FOREVER_MS,
      ...env,
    },
    stdout: openStalledPipe(),
    nodeArgs,
  });
  const isReady = () => fetch(`${url}/health/ready`).then(({ ok }) => ok, String);
  await expect.poll(isReady, { interval: 20, timeout: 10_000 }).toBe(true);
  const fate = write({ url, agent: false }, 'held');
  await arrival.promise;
  return { program, url, fate };
}

/** Makes Node run `code` in the program on every SIGUSR2. */
function onUsr2(code: string): string[] {
  return ['--import', `data:text/javascript,process.on('SIGUSR2', () => { ${code} })`];
}

it.each([
  { what: 'an exception', code: `throw new Error('one of ours')` },
  { what: 'a rejection', code: `void Promise.reject(new Error('one of ours'))` },
  { what: 'an exception that is no Error', code: `throw 'one of ours'` },
  { what: 'a rejection with nothing', code: `void Promise.reject(undefined)` },
])(
  'answers what is under way, logs, and exits with 1 on $what that nobody caught',
  async (fault) => {
    const env = { SHUTDOWN_GRACE_MS: FOREVER_MS };
    const { program, held, fate } = await startHolding(env, onUsr2(fault.code));

    program.kill('SIGUSR2');
    await program.printed(/"level":60/);
    // A second one must not end what the first one left to be answered, nor a signal change how it ends.
    program.kill('SIGUSR2');
    await program.printed(/"level":60[^]*"level":60/);
    program.kill('SIGTERM');
    answer(held);

    expect(await fate).toBe('SUCCESS');
    expect(await program.exit).toMatchObject({
      code: 1,
      signal: null,
      stdout: expect.stringMatching(/"err":.*"msg":"(uncaughtException|unhandledRejection)"/),
      stderr: '',
    });
  },
);

it('exits with 1 when an exception that nobody caught comes while it stops', async () => {
  const env = { SHUTDOWN_GRACE_MS: FOREVER_MS };
  const { program, held, fate } = await startHolding(env, onUsr2(`throw new Error('late')`));

  program.kill('SIGTERM');
  await program.printed(/"stopping"/);
  program.kill('SIGUSR2');
  await program.printed(/"level":60/);
  answer(held);

  expect(await fate).toBe('SUCCESS');
  expect(await program.exit).toMatchObject({ code: 1, signal: null });
});

it('takes two signals at once for one, as npm passes Ctrl-C on that the terminal has sent too', async () => {
  const { program, held, fate } = await startHolding({ SHUTDOWN_GRACE_MS: FOREVER_MS });

  program.kill('SIGINT');
  await program.printed(/"stopping"/);
  program.kill('SIGINT');
  answer(held);

  expect(await fate).toBe('SUCCESS');
  expect(await program.exit).toMatchObject({ code: 0, signal: null });
});

it.each([
  { signal: 'SIGTERM', code: 143 },
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGHUP', code: 129 },
] as const)('ends at once with $code when $signal is repeated', async ({ signal, code }) => {
  const { program, fate } = await startHolding({ SHUTDOWN_GRACE_MS: FOREVER_MS });

  program.kill('SIGTERM');
  await program.printed(/"stopping"/);
  // As an impatient person does.
  const repeated = setInterval(() => program.kill(signal), 50);
  onTestFinished(() => clearInterval(repeated));

  expect(await program.exit).toMatchObject({ code, signal: null, stderr: '' });
  expect(await fate).toBe('BROKEN');
});

it('cuts a call that outlasts the grace, says so, and exits with 1', async () => {
  const { program, studyApi, fate } = await startHolding({ SHUTDOWN_GRACE_MS: '100' });

  program.kill('SIGTERM');

  expect(await fate).toBe('BROKEN');
  expect(await program.exit).toMatchObject({
    code: 1,
    signal: null,
    stdout: expect.stringContaining('stopping took longer than the grace'),
    stderr: '',
  });
  expect([...studyApi.arrived]).toEqual(['held']);
});

it.each([{ key: undefined }, { key: 'one-key' }])(
  'exits with 1 and says so when a call with the key $key ends after its client was cut',
  async ({ key }) => {
    const { program, held, fate } = await startHolding({ SHUTDOWN_GRACE_MS: '100' }, [], key);

    program.kill('SIGTERM');
    expect(await fate).toBe('BROKEN');
    // Soon enough to keep the process from overrunning the grace.
    answer(held);

    expect(await program.exit).toMatchObject({
      code: 1,
      signal: null,
      stdout: expect.stringMatching(
        /"level":60.*requests cut at the end of SHUTDOWN_GRACE_MS: 1.*"stopping failed"/,
      ),
      stderr: '',
    });
  },
);

it('exits with 1 a second after the grace at the latest, though its log is stalled', async () => {
  const { program, fate } = await startStalled({ SHUTDOWN_GRACE_MS: '1000' });
  const startedAt = performance.now();

  program.kill('SIGTERM');

  expect(await program.exit).toMatchObject({ code: 1, signal: null, stderr: '' });
  // As much again for a machine that is busy.
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(await fate).toBe('BROKEN');
});

it('ends at once by a second signal, though its log is stalled', async () => {
  const { program, url, fate } = await startStalled({ SHUTDOWN_GRACE_MS: FOREVER_MS });

  program.kill('SIGTERM');
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { interval: 20, timeout: 10_000 }).toBe(false);
  const repeated = setInterval(() => program.kill('SIGTERM'), 50);
  onTestFinished(() => clearInterval(repeated));

  const { code, signal } = await program.exit;
  // A further signal may come while the process becomes the one that exits.
  expect(code ?? signal).toBeOneOf([143, 'SIGTERM']);
  expect(await fate).toBe('BROKEN');
});

it('ends by SIGKILL when its log is stalled and execve is not to be had', async () => {
  const code = encodeURIComponent('delete process.execve;');
  const { program } = await startStalled({ SHUTDOWN_GRACE_MS: '100' }, [
    '--import',
    `data:text/javascript,${code}`,
  ]);

  program.kill('SIGTERM');

  expect(await program.exit).toMatchObject({ code: null, signal: 'SIGKILL', stderr: '' });
});

it('ends by a signal while a thread waits for something that never comes', async () => {
  // Opening a pipe waits for its other end.
  const pipe = createPipe();
  const code = `import { open } from 'node:fs'; open(${JSON.stringify(pipe)}, () => {});`;
  const { kill, exit } = await startReadyProgram({
    nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(code)}`],
  });

  kill('SIGTERM');

  expect(await exit).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('cuts a client that is still sending when the grace ends, and exits with 0', async () => {
  const { url, kill, exit } = await startReadyProgram({ env: { SHUTDOWN_GRACE_MS: '100' } });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // Being cut off is what the test is about.
  socket.on('error', () => {});
  const head = 'POST /graphql HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n';
  socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n`);
  // 100 Continue: the headers have been read.
  await once(socket, 'data');
  const closed = once(socket, 'close');

  kill('SIGTERM');

  await closed;
  expect(await exit).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('has a grace that is longer than the deadline of a call', () => {
  const { shutdownGraceMs, studyApiTimeoutMs } = readConfig({});

  expect(shutdownGraceMs).toBeGreaterThan(studyApiTimeoutMs);
});
