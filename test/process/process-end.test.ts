import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { parse } from 'graphql';
import { CreateStudyDocument } from 'study-gateway-client';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { allDaily } from '../support/daily.js';
import { startTestGateway } from '../support/gateway.js';
import { startHoldingApi } from '../support/held-calls.js';
import { runOperation, startReadyProgram, toPreload } from '../support/process.js';
import { wholeStudy } from '../support/studies.js';

/** A time that is longer than any test. */
const FOREVER_MS = '600000';

/** Starts the program with one write in progress, which the test must answer in place of the Study API. */
async function startHolding(SHUTDOWN_GRACE_MS: string, code = '') {
  const api = await startHoldingApi();
  const env = { STUDY_API_URL: api.url, STUDY_API_TIMEOUT_MS: FOREVER_MS, SHUTDOWN_GRACE_MS };
  const program = await startReadyProgram({ env, nodeArgs: toPreload(code) });
  const answer = runOperation(program.url, CreateStudyDocument, { input: {} });
  // A test that ends the process does not wait for the answer.
  answer.catch(() => {});
  await api.holds(1);
  return { program, api, answer };
}

const created = { data: { createStudy: wholeStudy } };

it.for(allDaily(['SIGTERM', 'SIGINT', 'SIGHUP'] as const, ['SIGTERM'] as const))(
  'on %s answers the request in progress, runs the exit listeners of profilers, and exits with 0, though a connection is idle and npm forwards a second signal',
  async (signal) => {
    const { program, api, answer } = await startHolding(
      FOREVER_MS,
      `import { writeSync } from 'node:fs';
      process.on('exit', (code) => writeSync(2, 'exit ' + code));`,
    );
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [response] = (await once(get(`${program.url}/health/live`, { agent }), 'response')) as [
      IncomingMessage,
    ];
    await once(response.resume(), 'end');

    program.kill(signal);
    // Another signal, because the system joins two of one kind.
    program.kill(signal === 'SIGINT' ? 'SIGTERM' : 'SIGINT');
    await program.printed(/"stopping"/);
    // A process that did not wait would have ended when its port is closed.
    const isOpen = () => fetch(`${program.url}/health/live`).then(Boolean, () => false);
    await expect.poll(isOpen).toBe(false);
    api.answerNext();

    await expect(answer).resolves.toEqual(created);
    expect(await program.exit).toMatchObject({ code: 0, signal: null, stderr: 'exit 0' });
  },
);

const exceptions = [
  { what: 'an exception', code: `throw new Error('one of ours')`, isStopping: false },
  { what: 'a rejection', code: `void Promise.reject(undefined)`, isStopping: true },
];
const moreExceptions = [
  { what: 'a rejection', code: `void Promise.reject(new Error('one of ours'))`, isStopping: false },
  { what: 'an exception that is no Error', code: `throw 'one of ours'`, isStopping: true },
];

it.each(allDaily([...exceptions, ...moreExceptions], exceptions))(
  'answers the requests in progress, logs, and exits with 1 after $what that nobody caught, while it stops: $isStopping',
  async ({ code, isStopping }) => {
    const onUsr2 = `process.on('SIGUSR2', () => { ${code} })`;
    const { program, api, answer } = await startHolding(FOREVER_MS, onUsr2);

    if (isStopping) {
      program.kill('SIGTERM');
      await program.printed(/"stopping"/);
    }
    program.kill('SIGUSR2');
    await program.printed(/"level":60/);
    // Neither a second fault nor a signal may cut the request in progress or change the exit code.
    program.kill('SIGUSR2');
    await program.printed(/"level":60[^]*"level":60/);
    if (!isStopping) program.kill('SIGTERM');
    api.answerNext();

    await expect(answer).resolves.toEqual(created);
    expect(await program.exit).toMatchObject({
      code: 1,
      signal: null,
      stdout: expect.stringMatching(/"err":.*"msg":"(uncaughtException|unhandledRejection)"/),
      stderr: '',
    });
  },
);

const signals = [
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
  { signal: 'SIGHUP', code: 129 },
] as const;

it.each(allDaily(signals, [signals[0]]))(
  'ends at once with $code when $signal is repeated',
  async ({ signal, code }) => {
    const { program, answer } = await startHolding(FOREVER_MS);

    program.kill('SIGTERM');
    await program.printed(/"stopping"/);
    // Repeats the signal, as an impatient user does.
    const repeated = setInterval(() => program.kill(signal), 50);
    onTestFinished(() => clearInterval(repeated));

    expect(await program.exit).toMatchObject({ code, signal: null, stderr: '' });
    await expect(answer).rejects.toThrow('fetch failed');
  },
);

/** Returns the end of a program that has logged a fatal line with this text. */
const toFatalEnd = (text: string) => ({
  code: 1,
  signal: null,
  stdout: expect.stringMatching(`"level":60.*${text}`),
  stderr: '',
});

const lost =
  'The connection to the Study API ended before it answered. Whether the change was made is not known: check before repeating it.';
const unsent = 'The Study API cannot be reached. Nothing was sent.';

function toError(name: string, outcome: string, message: string): object {
  return {
    message,
    locations: expect.any(Array),
    path: [name],
    extensions: {
      code: 'UPSTREAM_UNAVAILABLE',
      outcome,
      retryable: false,
      requestId: expect.any(String),
    },
  };
}

it('tells what became of every write when the grace ends in the second of five, logs this, and exits with 1', async () => {
  const api = await startHoldingApi();
  const env = { STUDY_API_URL: api.url, SHUTDOWN_GRACE_MS: '100' };
  const program = await startReadyProgram({ env });
  const names = ['one', 'two', 'three', 'four', 'five'];
  const creates = names.map((name) => `${name}: createStudy(input: {}) { id }`);
  const answer = runOperation(program.url, parse(`mutation { ${creates.join(' ')} }`), {});
  await api.holds(1);
  api.answerNext();
  await api.holds(1);

  program.kill('SIGTERM');

  await expect(answer).resolves.toEqual({
    data: { one: { id: wholeStudy.id }, two: null, three: null, four: null, five: null },
    errors: [
      toError('two', 'UNKNOWN', lost),
      // With retries, these would outlast the time for the last answers.
      ...names.slice(2).map((name) => toError(name, 'NOT_SENT', unsent)),
    ],
  });
  const text = 'requests cut at the end of SHUTDOWN_GRACE_MS: 1.*"stopping failed"';
  expect(await program.exit).toMatchObject(toFatalEnd(text));
  expect(api.arrived).toHaveLength(2);
});

it('logs that it cut a call, even if the event loop was blocked beyond its last second and writes are slow', async () => {
  const { program } = await startHolding(
    '100',
    `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { write } = fs;
    fs.write = (...args) => void setTimeout(() => write(...args), 20);
    syncBuiltinESMExports();
    process.on('SIGTERM', () => setImmediate(() => {
      const until = performance.now() + 1_500;
      while (performance.now() < until);
    }));`,
  );

  program.kill('SIGTERM');

  expect(await program.exit).toMatchObject(toFatalEnd('stopping took longer than the grace'));
});

it('answers the whole mutation under way when it is closed twice', async () => {
  const api = await startHoldingApi();
  const gateway = await startTestGateway({ studyApiUrl: api.url });
  const mutation = 'mutation { a: createStudy(input: {}) { id } b: createStudy(input: {}) { id } }';
  const answer = gateway.graphql(mutation);
  await api.holds(1);

  const closed = Promise.all([gateway.close(), gateway.close()]);
  api.answerNext();
  await api.holds(1);
  api.answerNext();

  const { id } = wholeStudy;
  await expect(answer).resolves.toEqual({ data: { a: { id }, b: { id } } });
  await closed;
});

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
