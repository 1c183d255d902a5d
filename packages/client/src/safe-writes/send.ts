import { isRecord, parseJson } from '../answer.js';
import { studyProblem } from '../study-problem.js';
import { sleep } from './platform.js';

/** Longest waits before the second, third and fourth attempt; a wait is half as long at least. */
const LONGEST_WAITS_MS = [1000, 2000, 4000];

/**
 * What an attempt shows of its write. `made`, `refused`: its outcome. `nothing`: this attempt wrote nothing. `unknown`: the
 * gateway does not know. `lost`: no answer came.
 */
type Verdict = 'made' | 'refused' | 'nothing' | 'unknown' | 'lost';

/** The last attempt. */
export interface Sent {
  /** Not `nothing` if the answer to an earlier attempt was lost. */
  readonly verdict: Verdict;
  /** Throws after an abort only: what is thrown, libraries send again, even after a newer edit or as another user. */
  readonly end: (isUnsettled: boolean) => Response;
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
  for (const longest of LONGEST_WAITS_MS) {
    if (!sent.mayRepeat || Date.now() > until) break;
    await sleep((longest * (1 + Math.random())) / 2);
    const { verdict, ...rest } = await attemptWrite(prepare, signal);
    sent = { ...rest, verdict: verdict === 'nothing' ? 'lost' : verdict };
  }
  return sent;
}

async function attemptWrite(
  prepare: () => Promise<() => Promise<Response>>,
  signal: AbortSignal | null | undefined,
) {
  let verdict: Verdict = 'nothing';
  let status = 0;
  try {
    const send = await prepare();
    verdict = 'lost';
    const response = await send();
    const body = parseJson(await response.clone().text());
    ({ status } = response);
    if (!isRecord(body) || !('data' in body || 'errors' in body))
      throw new Error(`An answer with status ${status} is not one of the gateway.`);
    const known = toVerdict(body);
    const end = (isUnsettled: boolean) =>
      isUnsettled && known === 'nothing' ? toResponse(studyProblem(body), true) : response;
    return { verdict: known, mayRepeat: false, end };
  } catch (error) {
    const isAbort = signal?.aborted || (isRecord(error) && error.name === 'AbortError');
    const end = (isUnsettled: boolean) => {
      if (isAbort) throw error;
      return toResponse({ code: 'NO_ANSWER', message: String(error) }, isUnsettled);
    };
    const isFinal = isAbort || verdict === 'nothing' || (status > 0 && status < 500);
    return { verdict, mayRepeat: !isFinal, end };
  }
}

/** Returns what a GraphQL response shows. */
function toVerdict(body: Readonly<Record<string, unknown>>): Verdict {
  if (isRecord(body.data) && Object.values(body.data).some(isRecord)) return 'made';
  const { kind, code, reason } = studyProblem(body, 'mutation');
  if (kind === 'applied') return 'made';
  if (kind === 'notSent' || reason === 'IDEMPOTENCY_KEY_REUSED') return 'nothing';
  if (kind !== 'rejected') return 'unknown';
  // These refusals free the key: the gateway has not looked what became of an earlier attempt.
  return /^(?:UNAUTHENTICATED|FORBIDDEN|RATE_LIMITED)$/.test(code) ? 'nothing' : 'refused';
}

/** A response for an attempt that does not tell what became of the write. */
function toResponse(
  { code, message }: { readonly code: string; readonly message: string },
  isUnsettled: boolean,
): Response {
  const outcome = isUnsettled ? 'UNKNOWN' : 'NOT_SENT';
  const doubt = isUnsettled ? 'The write may have been made: check before you repeat it. ' : '';
  const error = { message: doubt + message, extensions: { code, outcome, retryable: false } };
  const headers = { 'content-type': 'application/json' };
  return new Response(JSON.stringify({ data: null, errors: [error] }), { headers });
}
