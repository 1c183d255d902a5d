import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';
import { ours } from '../contenders.ts';
import { toBody } from './gateway.ts';
import type { StudyApi } from './study-api.ts';
import { token } from './study.ts';

/** Number of requests after which V8 has compiled what it will compile. */
const WARM = 5_000;
/** Number of requests that are counted. */
const COUNTED = 7_000;
const CONNECTIONS = 16;
/** Valgrind runs a program some thirty times as slowly. */
const PATIENCE_MS = '120000';
const POLL_MS = 200;
const body = toBody(ours);

/**
 * Counts the instructions of one `createStudy` in user mode, by valgrind, in thousands. Two processes answer 5,000 and 12,000
 * requests; the difference of their counts is that of 7,000 warm requests. It does not see the kernel's part.
 *
 * @param program path of `dist/main.js`
 * @throws Error without valgrind
 */
export async function countInstructions(
  api: StudyApi,
  program: string,
  port: number,
): Promise<number> {
  const [start, whole] = await Promise.all([
    countProcess(api, program, port, WARM),
    countProcess(api, program, port + 1, WARM + COUNTED),
  ]);
  return (whole - start) / COUNTED / 1_000;
}

async function countProcess(
  api: StudyApi,
  program: string,
  port: number,
  requests: number,
): Promise<number> {
  const valgrind = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];
  // Code of V8 changes while it runs. One thread makes the counts of two runs comparable.
  // A slow machine makes V8 collect garbage more often: without a fixed schedule, counts under load were 19 % higher.
  const flags = ['--single-threaded', '--predictable-gc-schedule'];
  const node = ['--smc-check=all-non-file', process.execPath, ...flags, program];
  const child = spawn('valgrind', [...valgrind, ...node], {
    cwd: new URL('..', import.meta.url),
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      STUDY_API_URL: api.url,
      STUDY_API_TIMEOUT_MS: PATIENCE_MS,
      REQUEST_TIMEOUT_MS: PATIENCE_MS,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  // When stderr has been read to its end.
  const ended = once(child, 'close');
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));

  const pool = new Pool(`http://127.0.0.1:${port}`, {
    connections: CONNECTIONS,
    headersTimeout: 0,
  });
  await waitUntilReady(pool, ended);
  let left = requests;
  const sendInTurn = async (): Promise<void> => {
    while (left-- > 0) await send(pool);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendInTurn));
  await pool.close();
  child.kill('SIGTERM');
  await ended;
  const [, count] = /I\s+refs:\s+([\d,]+)/.exec(output) ?? [];
  if (count === undefined) throw new Error(`valgrind counted nothing: ${output}`);
  return Number(count.replaceAll(',', ''));
}

async function waitUntilReady(pool: Pool, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  for (;;) {
    const answer = await pool
      .request({ method: 'GET', path: '/health/live' })
      .catch(() => undefined);
    if (answer) return answer.body.dump();
    if (isOver) throw new Error('The gateway has not started. Is valgrind installed?');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function send(pool: Pool): Promise<void> {
  const answer = await pool.request({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200 || !text.startsWith('{"data":'))
    throw new Error(`${answer.statusCode}: ${text}`);
}
