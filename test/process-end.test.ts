import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../src/config.js';
import { startReadyProgram, type ReadyProgram } from './process.fixture.js';
import { write, type Fate } from './soak/client.js';
import { answer } from './soak/faults.js';
import { startStudyLedger, type StudyLedger, type Write } from './soak/study-ledger.js';

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
