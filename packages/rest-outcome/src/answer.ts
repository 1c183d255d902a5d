import type { JsonObject, ValidationDetail, Verdicts } from './call.js';
import {
  isJsonObject,
  noEvidence,
  readJson,
  readEntityId,
  toPartEvidence,
  toPlainBody,
  type ParseJson,
  type RawAnswer,
} from './evidence.js';
import { failures, toStatusFailure } from './failures.js';
import type { Entry } from './ledger.js';
import { RestError } from './rest-error.js';

/** How the bodies of one API are read. */
export interface Reading extends Verdicts {
  /** Default: `JSON.parse`. */
  readonly parse: ParseJson;
  /** Default: nothing is read of the body of a rejection. */
  readonly readRejection?: ReadRejection | undefined;
}

/** Why an API rejected a call, as far as the body of its answer says so in a known form. */
export interface RejectionReason {
  /** Errors of single values. */
  readonly details: readonly ValidationDetail[];
  /** Reason of the API that is about no single value: plain text without secrets. */
  readonly upstreamMessage?: string | undefined;
}

/** Reads the body of an answer that proves `REJECTED`: any other one may be the work of a proxy, or of a defect. */
export type ReadRejection = (call: Entry, body: Buffer) => RejectionReason;

/**
 * Returns the JSON object of a whole 2xx answer that shows what the call asks for; an empty one for the 204 of a write without
 * an `entity`.
 *
 * @throws RestError for every other answer
 */
export function readAnswer(call: Entry, answer: RawAnswer, reading: Reading): JsonObject {
  const { status } = answer;
  const body = toPlainBody(answer);
  const { toBodyVerdict } = reading;
  const toError = toUnusable.bind(undefined, call, status);
  if (!isAccepted(call, status, reading)) throw toStatusError(call, answer, reading);
  if (body?.length === 0) {
    if (status === 204 && call.isWrite && !call.entity && !toBodyVerdict) return {};
    // 201 and 204 say that the request has been fulfilled (RFC 9110 §15.3.2, §15.3.5). A proxy may send any other 2xx.
    const isFulfilled = (status === 201 || status === 204) && call.entity && !toBodyVerdict;
    throw toError('no body', isFulfilled ? { outcome: 'APPLIED' } : noEvidence);
  }
  const value = body && readJson(body, reading.parse);
  const verdict = value === undefined ? undefined : toBodyVerdict?.(value);
  if (verdict === 'REJECTED') throw toStatusError(call, answer, reading, verdict);
  if (verdict === 'UNKNOWN' && call.isWrite) throw toError('JSON that says neither yes nor no');
  if (isJsonObject(value)) {
    const id = call.entity && readEntityId(call.entity, value);
    if (!call.entity || typeof id === 'string') return value;
    throw toError(id === null ? 'another id than that asked for' : 'JSON without an id');
  }
  if (call.arrayAs !== undefined && Array.isArray(value)) return { [call.arrayAs]: value };
  // The message of the JSON parser is left out, because it quotes the body and would put the quote into the log.
  if (value !== undefined) throw toError('JSON that is not an object');
  throw toError('a body that is not JSON', toPartEvidence(call, answer, isEndedByClose(answer)));
}

/** Returns true for a status that says yes. */
export function isAccepted(call: Entry, status: number, { toVerdict }: Verdicts): boolean {
  const is2xx = status >= 200 && status < 300;
  return is2xx && (!call.isWrite || (toVerdict?.(status) ?? 'APPLIED') === 'APPLIED');
}

/** Returns true if only the end of the connection ended the body: nobody can tell a whole body from a cut one. */
function isEndedByClose({ headers }: RawAnswer): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/** Returns the error of an answer that cannot be used: a 2xx, or a 404 to a read that may come from a proxy. */
function toUnusable(call: Entry, status: number, body: string, evidence = noEvidence): RestError {
  const isShown = !call.entity || evidence.id !== undefined;
  const failure = isShown ? 'unreadableAnswer' : 'entityNotShown';
  return new RestError(failure, call, { status, body, evidence });
}

function toStatusError(
  call: Entry,
  answer: RawAnswer,
  { parse, readRejection, toVerdict }: Reading,
  verdict = call.isWrite ? toVerdict?.(answer.status) : undefined,
): RestError {
  const { status, headers } = answer;
  const body = toPlainBody(answer);
  if (status === 404 && call.method === 'GET' && body?.length !== 0) {
    const value = body && readJson(body, parse);
    // A proxy without a route answers with a page or a line of text, and has not asked the API.
    if (!isJsonObject(value) && !Array.isArray(value))
      return toUnusable(call, status, 'a body that is not JSON');
  }
  const retryAfterSeconds = toRetryAfterSeconds(headers['retry-after']);
  const failure = toStatusFailure(status, verdict);
  const isRejected = failures[failure].outcome === 'REJECTED';
  const reason = isRejected && body?.length ? readRejection?.(call, body) : undefined;
  return new RestError(failure, call, { ...reason, status, retryAfterSeconds });
}

/** Maximum wait that is recommended to clients: one hour. */
const MAX_SECONDS = 3600;

/**
 * Converts a `Retry-After` header (RFC 9110 §10.2.3), which holds seconds or an HTTP date, to whole seconds
 * from now, 0 to 3600. Returns `undefined` if the header is missing or malformed.
 */
function toRetryAfterSeconds(header: string | string[] | undefined): number | undefined {
  const text = String(header).trim();
  const toDate = (): number => (text.endsWith(' GMT') ? Date.parse(text) : Number.NaN);
  const seconds = /^\d+$/.test(text) ? Number(text) : (toDate() - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}
