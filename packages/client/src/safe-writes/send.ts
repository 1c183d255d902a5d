import { isRecord, parse } from '../answer.js';
import { attempt, sleep } from './platform.js';
import { toVerdict, type Verdict } from './settle.js';

/** Longest waits before the second, third and fourth attempt; a wait is half as long at least. */
const LONGEST_WAITS_MS = [1000, 2000, 4000];

/** The part of `Response` that tells whether the answer has arrived. */
export interface ResponseLike {
  readonly status: number;
  readonly headers: object;
  clone(): { text(): Promise<string> };
}

/** The part of `AbortSignal` that ends a write. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
}

declare const Response: new (body: string, init: object) => ResponseLike;

/** The last attempt. */
export interface Sent {
  readonly verdict: Verdict;
  /** Text of the answer; `undefined` if none came. */
  readonly text: string | undefined;
  /** Returns the response, or throws what `fetch` threw. */
  readonly end: () => ResponseLike;
}

/**
 * Sends a write, and sends it again while its connection fails or a 5xx comes that is no GraphQL response: four attempts
 * in 7 s. An abort ends it.
 *
 * @param prepare called before each attempt; returns what sends, or throws if the write must not be sent
 */
export async function sendWrite(
  prepare: () => Promise<() => Promise<ResponseLike>>,
  signal: Signal | null | undefined,
): Promise<Sent> {
  let sent = await attemptWrite(prepare, signal);
  for (const longest of LONGEST_WAITS_MS) {
    if (!sent.isRepeated) break;
    await Promise.race([sleep((longest * (1 + Math.random())) / 2), untilAbort(signal)]);
    sent = await attemptWrite(prepare, signal);
    // That a repeat wrote nothing says nothing about the attempts whose answers were lost.
    if (sent.verdict === 'nothing') return { ...sent, verdict: 'lost' };
  }
  return sent;
}

function untilAbort(signal: Signal | null | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', resolve));
}

async function attemptWrite(
  prepare: () => Promise<() => Promise<ResponseLike>>,
  signal: Signal | null | undefined,
) {
  let send: (() => Promise<ResponseLike>) | undefined;
  try {
    send = await prepare();
    const response = await send();
    const text = await response.clone().text();
    const body = parse(text);
    const isGraphQL = isRecord(body) && ('data' in body || 'errors' in body);
    const isRepeated = response.status >= 500 && !isGraphQL;
    return { verdict: toVerdict(text), isRepeated, text, end: () => response };
  } catch (error) {
    const isAbort = isRecord(error) && /^(?:Abort|Timeout)Error$/.test(String(error.name));
    return {
      verdict: send ? ('lost' as const) : ('nothing' as const),
      isRepeated: send !== undefined && !isAbort && !signal?.aborted,
      text: undefined,
      end: () => {
        throw error;
      },
    };
  }
}

/**
 * Returns the response with the outcome `UNKNOWN` in its errors: they say that this attempt wrote nothing, and an earlier
 * attempt may have written.
 */
export function toUnknown({ text = '', end }: Sent): ResponseLike {
  const response = end();
  const body = parse(text);
  const errors = isRecord(body) && Array.isArray(body.errors) ? body.errors.filter(isRecord) : [];
  if (!isRecord(body) || errors.length === 0) return response;
  const doubt = 'An earlier attempt may have been made: nobody knows its outcome.';
  for (const error of errors)
    Object.assign(error, {
      message: `${String(error.message)} ${doubt}`,
      extensions: {
        ...(isRecord(error.extensions) && error.extensions),
        outcome: 'UNKNOWN',
        retryable: false,
      },
    });
  const { status, headers } = response;
  return attempt(() => new Response(JSON.stringify(body), { status, headers })) ?? response;
}
