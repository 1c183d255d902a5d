import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { allDaily, everyNth } from '../support/daily.js';
import {
  findFreePort,
  startProgram,
  startReadyProgram,
  toPreload,
  type Program,
  type ReadyProgram,
} from '../support/process.js';
import { write, type Client, type Fate, type Patience } from '../soak/client.js';
import { answer } from '../soak/faults.js';
import { startStudyLedger, type StudyLedger, type Write } from '../soak/study-ledger.js';
import { openStalledPipe } from './stalled.fixture.js';

vi.setConfig({ testTimeout: 20_000 });

/** A time that is longer than any test. */
const FOREVER_MS = '600000';

interface Holding {
  readonly program: ReadyProgram;
  readonly studyApi: StudyLedger;
  /** The write in progress, which the test must answer in place of the Study API. */
  readonly held: Write;
  readonly fate: Promise<Fate>;
}

/** Starts the program, with one call in progress. */
async function startHolding(
  env: Record<string, string>,
  nodeArgs: readonly string[] = [],
  client: Partial<Client & { readonly patience: Patience }> = {},
): Promise<Holding> {
  const arrival = Promise.withResolvers<Write>();
  const studyApi = await startStudyLedger(arrival.resolve);
  onTestFinished(() => studyApi.close());
  const program = await startReadyProgram({
    env: { STUDY_API_URL: studyApi.url, STUDY_API_TIMEOUT_MS: FOREVER_MS, ...env },
    nodeArgs,
  });
  const fate = write({ url: program.url, agent: false, ...client }, 'held', client.patience);
  return { program, studyApi, held: await arrival.promise, fate };
}

/** Starts the program, with one call in progress and with stdout as a full pipe that nobody reads. */
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
  return { program, fate };
}

/** Returns options of Node that make the program run `code` at every SIGUSR2. */
function onUsr2(code: string): string[] {
  return toPreload(`process.on('SIGUSR2', () => { ${code} })`);
}

const exceptions = [
  { what: 'an exception', code: `throw new Error('one of ours')` },
  { what: 'a rejection with nothing', code: `void Promise.reject(undefined)` },
];
const moreExceptions = [
  { what: 'a rejection', code: `void Promise.reject(new Error('one of ours'))` },
  { what: 'an exception that is no Error', code: `throw 'one of ours'` },
];

it.each(allDaily([...exceptions, ...moreExceptions], exceptions))(
  'answers the requests in progress, logs, and exits with 1 after $what that nobody caught',
  async (fault) => {
    const env = { SHUTDOWN_GRACE_MS: FOREVER_MS };
    const { program, held, fate } = await startHolding(env, onUsr2(fault.code));

    program.kill('SIGUSR2');
    await program.printed(/"level":60/);
    // Neither a second fault nor a signal may cut the request in progress or change the exit code.
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

it('exits with 1 when an uncaught exception occurs during shutdown', async () => {
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

it('treats two immediate signals as one, because npm forwards a Ctrl-C that the terminal has sent too', async () => {
  const { program, held, fate } = await startHolding({ SHUTDOWN_GRACE_MS: FOREVER_MS });

  program.kill('SIGINT');
  await program.printed(/"stopping"/);
  program.kill('SIGINT');
  answer(held);

  expect(await fate).toBe('SUCCESS');
  expect(await program.exit).toMatchObject({ code: 0, signal: null });
});

const signals = [
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
  { signal: 'SIGHUP', code: 129 },
] as const;

it.each(allDaily(signals, [signals[0]]))(
  'ends at once with $code when $signal is repeated',
  async ({ signal, code }) => {
    const { program, fate } = await startHolding({ SHUTDOWN_GRACE_MS: FOREVER_MS });

    program.kill('SIGTERM');
    await program.printed(/"stopping"/);
    // Repeats the signal, as an impatient user does.
    const repeated = setInterval(() => program.kill(signal), 50);
    onTestFinished(() => clearInterval(repeated));

    expect(await program.exit).toMatchObject({ code, signal: null, stderr: '' });
    expect(await fate).toBe('BROKEN');
  },
);

/** Returns the end of a program that has logged a fatal line with this text. */
const toFatalEnd = (text: string) => ({
  code: 1,
  signal: null,
  stdout: expect.stringMatching(`"level":60.*${text}`),
  stderr: '',
});

it.each(everyNth(2, [{ key: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }, { key: undefined }]))(
  'ends a call with the key $key that outlasts the grace, says UNKNOWN, logs this, and exits with 1',
  async ({ key }) => {
    const env = { SHUTDOWN_GRACE_MS: '100' };
    const { program, studyApi, fate } = await startHolding(env, [], key ? { key } : {});

    program.kill('SIGTERM');

    expect(await fate).toBe('UNKNOWN');
    const text = 'requests cut at the end of SHUTDOWN_GRACE_MS: 1.*"stopping failed"';
    expect(await program.exit).toMatchObject(toFatalEnd(text));
    expect([...studyApi.arrived]).toEqual(['held']);
  },
);

it('logs that it cut a call, even if the event loop was blocked beyond its last second and writes are slow', async () => {
  const code = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { write } = fs;
    fs.write = (...args) => void setTimeout(() => write(...args), 20);
    syncBuiltinESMExports();
    process.on('SIGTERM', () => setImmediate(() => {
      const until = performance.now() + 1_500;
      while (performance.now() < until);
    }));`;
  const env = { SHUTDOWN_GRACE_MS: '100' };
  const { program, fate } = await startHolding(env, toPreload(code), { patience: 500 });
  expect(await fate).toBe('LEFT');

  program.kill('SIGTERM');

  expect(await program.exit).toMatchObject(toFatalEnd('stopping took longer than the grace'));
});

it(
  'ends a second after the grace at the latest, by SIGKILL if its log is stalled',
  { tags: ['coreutils'] },
  async () => {
    const { program, fate } = await startStalled({ SHUTDOWN_GRACE_MS: '1000' });
    const startedAt = performance.now();

    program.kill('SIGTERM');

    expect(await program.exit).toMatchObject({ code: null, signal: 'SIGKILL', stderr: '' });
    // Upper bound: the grace and 1 s, and four more for a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    expect(await fate).toBe('UNKNOWN');
  },
);

it('cuts a client that is still sending when the grace ends, and exits with 0', async () => {
  const { url, kill, exit } = await startReadyProgram({ env: { SHUTDOWN_GRACE_MS: '100' } });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // Ignores the error when the gateway closes the connection.
  socket.on('error', () => {});
  const head = 'POST /graphql HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n';
  socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n`);
  // `100 Continue` proves that the gateway has read the headers.
  await once(socket, 'data');
  const closed = once(socket, 'close');

  kill('SIGTERM');

  await closed;
  expect(await exit).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('has a grace that is longer than the deadline of a call', () => {
  const { http, rest } = readConfig({});

  expect(http.shutdownGraceMs).toBeGreaterThan(rest.deadlineMs);
});
