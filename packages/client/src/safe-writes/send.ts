import { isRecord, parseJson } from '../answer.js';
import { studyProblem } from '../study-problem.js';
import { sleep } from './platform.js';

/** Longest waits before the second, third and fourth attempt; a wait is half as long at least. */
const LONGEST_WAITS_MS = [1000, 2000, 4000];

/**
 * What an attempt shows of its write. `made`, `refused`: its outcome. `nothing`: this attempt wrote nothing. `unknown`: the
 * gateway does not know. `lost`: no answer came.
 */
export type Verdict = 'made' | 'refused' | 'nothing' | 'unknown' | 'lost';

/** The last attempt. */
export interface Sent {
  readonly verdict: Verdict;
  /** True if the answers to earlier attempts were lost. */
  readonly isRepeat: boolean;
  /** Text of the answer; empty if none came. */
  readonly text: string;
  /** Returns the response, or throws what `fetch` threw. */
  readonly end: () => Response;
}

/**
 * Sends a write, and sends it again while its connection fails or a 5xx comes that is no GraphQL response: four attempts
 * in 7 s. An abort ends it, and so does `until`, a time in ms since 1970.
 *
 * @param prepare called before each attempt; returns what sends, or throws if the write must not be sent
 */
export async function sendWrite(
  prepare: () => Promise<() => Promise<Response>>,
  signal: AbortSignal | null | undefined,
  until: number,
): Promise<Sent> {
  let sent = await attemptWrite(prepare, signal);
  let isRepeat = false;
  for (const longest of LONGEST_WAITS_MS) {
    if (!sent.mayRepeat || Date.now() > until) break;
    const abort = new Promise((resolve) => signal?.addEventListener('abort', resolve));
    await Promise.race([sleep((longest * (1 + Math.random())) / 2), abort]);
    sent = await attemptWrite(prepare, signal);
    isRepeat = true;
  }
  return { ...sent, isRepeat };
}

async function attemptWrite(
  prepare: () => Promise<() => Promise<Response>>,
  signal: AbortSignal | null | undefined,
) {
  let send: (() => Promise<Response>) | undefined;
  try {
    send = await prepare();
    const response = await send();
    const text = await response.clone().text();
    const body = parseJson(text);
    const isGraphQL = isRecord(body) && ('data' in body || 'errors' in body);
    const mayRepeat = response.status >= 500 && !isGraphQL;
    return { verdict: toVerdict(body), mayRepeat, text, end: () => response };
  } catch (error) {
    const isAbort = isRecord(error) && /^(?:Abort|Timeout)Error$/.test(String(error.name));
    const end = () => {
      throw error;
    };
    const mayRepeat = send !== undefined && !isAbort && !signal?.aborted;
    return { verdict: send ? ('lost' as const) : ('nothing' as const), mayRepeat, text: '', end };
  }
}

/** Returns what the body of an answer shows. */
function toVerdict(body: unknown): Verdict {
  if (isRecord(body) && isRecord(body.data) && Object.values(body.data).some(isRecord))
    return 'made';
  const { kind, code, reason } = studyProblem(body, 'mutation');
  if (code === 'NO_ANSWER') return 'lost';
  if (kind === 'applied') return 'made';
  if (kind === 'notSent' || reason === 'IDEMPOTENCY_KEY_REUSED') return 'nothing';
  if (kind !== 'rejected') return 'unknown';
  // These refusals free the key: the gateway has not looked what became of an earlier attempt.
  return /^(?:UNAUTHENTICATED|FORBIDDEN|RATE_LIMITED)$/.test(code) ? 'nothing' : 'refused';
}

/**
 * Returns the response with the outcome `UNKNOWN` in its errors: they say that this attempt wrote nothing, and an earlier
 * attempt may have written.
 */
export function toUnknown({ text, end }: Sent): Response {
  const response = end();
  const body = parseJson(text);
  if (!isRecord(body) || !Array.isArray(body.errors)) return response;
  const doubt = 'An earlier attempt may have been made: nobody knows its outcome.';
  for (const error of body.errors.filter(isRecord))
    Object.assign(error, {
      message: `${String(error.message)} ${doubt}`,
      extensions: {
        ...(isRecord(error.extensions) && error.extensions),
        outcome: 'UNKNOWN',
        retryable: false,
      },
    });
  const { status, headers } = response;
  return new Response(JSON.stringify(body), { status, headers });
}
