import type { Contender } from '../contenders.ts';
import { startProgram, type Program } from './children.ts';
import { request } from './request.ts';
import { create } from './operations.ts';

/** Timeout for a contender's first answer after its start, in ms. */
const START_MS = 60_000;
/** Pause between two attempts to reach a starting contender, in ms. */
const POLL_MS = 2;

/** A running contender. */
export interface Gateway {
  readonly contender: Contender;
  readonly url: string;
  readonly program: Program;
  /** Time from the start of the process to the first answer, in ms. */
  readonly coldStartMs: number;
}

/** Port of the gateway to start next. */
let nextPort = 4_860;

/** Starts a contender, and waits for its first study. @throws Error without one */
export async function startGateway(contender: Contender, apiUrl: string): Promise<Gateway> {
  const { id, args = [`contenders/${id}.mjs`], command = process.execPath, env } = contender;
  const port = nextPort++;
  const startedAt = performance.now();
  const program = startProgram(command, args, {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    STUDY_API_URL: apiUrl,
    ...env,
  });
  const url = `http://127.0.0.1:${port}/graphql`;
  for (;;) {
    const answer = await request('POST', url, JSON.stringify(create)).catch(() => undefined);
    const coldStartMs = performance.now() - startedAt;
    if (answer?.status === 200) return { contender, url, program, coldStartMs };
    if (program.child.exitCode !== null || coldStartMs > START_MS) {
      await program.stop();
      throw new Error(`${id} gives no answer: ${answer?.text ?? program.complaint()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
