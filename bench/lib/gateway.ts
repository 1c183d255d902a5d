import { isDeepStrictEqual } from 'node:util';
import type { Contender } from './contender.ts';
import { startProgram, type Program } from './children.ts';
import { request } from './request.ts';
import { document, input } from './study.ts';
import type { StudyApi } from './study-api.ts';

/** Timeout for a contender's first correct answer after its start, in ms. */
const START_MS = 60_000;
/** Pause between two attempts to reach a starting contender, in ms. */
const POLL_MS = 2;

/** A running contender. */
export interface Gateway {
  readonly contender: Contender;
  readonly url: string;
  readonly program: Program;
  /** Time from the start of the process to the first correct answer, in ms. */
  readonly coldStartMs: number;
}

/** Port of the gateway to start next. */
let nextPort = 4_860;

/**
 * Starts a contender, on the next port by default, and waits for its first right answer.
 *
 * @param token default: the caller's usual one
 * @throws Error without a right answer
 */
export async function startGateway(
  contender: Contender,
  api: StudyApi,
  env: Readonly<Record<string, string>> = {},
  port = nextPort++,
  token?: string,
): Promise<Gateway> {
  const { id, args = [`contenders/${id}.mjs`], path = '/graphql' } = contender;
  const { command = process.execPath } = contender;
  const started = performance.now();
  const program = startProgram(command, args, {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    STUDY_API_URL: api.url,
    ...contender.env,
    ...env,
  });
  const url = `http://127.0.0.1:${port}${path}`;
  const body = toBody(contender);
  for (;;) {
    const answer = await request('POST', url, body, token).catch(() => undefined);
    const coldStartMs = performance.now() - started;
    if (answer?.status === 200) {
      await check(contender, api, answer.text);
      return { contender, url, program, coldStartMs };
    }
    if (program.child.exitCode !== null || coldStartMs > START_MS) {
      await program.stop();
      throw new Error(`${id} gives no answer: ${answer?.text ?? program.complaint()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Returns the body of the measured request. */
export function toBody(contender: Contender, query = contender.document ?? document): string {
  return JSON.stringify(contender.knowsJson === false ? input : { query, variables: { input } });
}

/** @throws Error unless the contender returned the Study API's 23 fields and forwarded exactly the caller's input */
async function check({ id, knowsJson }: Contender, api: StudyApi, text: string): Promise<void> {
  const answer = JSON.parse(text);
  const study = knowsJson === false ? answer : answer.data?.createStudy;
  if (!isDeepStrictEqual(study, api.answer()))
    throw new Error(`${id} does not give the Study API's answer: ${text}`);
  const asked = await api.readLast();
  if (!isDeepStrictEqual(asked, input))
    throw new Error(`${id} asks the Study API for something else: ${JSON.stringify(asked)}`);
}
