import type { JsonObject, ValidationDetail, Verdicts } from './call.js';
import type { IncomingHttpHeaders } from 'node:http';
import {
  isAccepted,
  isJsonObject,
  noEvidence,
  type ParseJson,
  readJson,
  readShownId,
  toEmptyEvidence,
  toPartEvidence,
} from './evidence.js';
import { failures, toStatusFailure } from './failures.js';
import type { Entry } from './ledger.js';
import { RestError, toUnusable } from './rest-error.js';

/** Status, headers and body of an answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body as received, with its content encoding. May be incomplete if the status is not a 2xx. */
  readonly body: Buffer;
}

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
  const { status, headers, body: received } = answer;
  const { 'content-encoding': encoding = '' } = headers;
  // `undefined` for a body with a content encoding, which the client asks for none of. An empty body has none.
  const body = /^(?:identity)?$/i.test(encoding) || received.length === 0 ? received : undefined;
  if (!isAccepted(call, status, reading)) throw toStatusError(call, answer, body, reading);
  const { toBodyVerdict } = reading;
  if (body?.length === 0) {
    if (status === 204 && call.method !== 'GET' && !call.entity && !toBodyVerdict) return {};
    const evidence = toBodyVerdict || !call.entity ? noEvidence : toEmptyEvidence(status);
    throw toUnusable(call, status, 'no body', evidence);
  }
  const value = body && readJson(body, reading.parse);
  const said = value === undefined ? undefined : toBodyVerdict?.(value);
  if (said === 'REJECTED') throw toStatusError(call, answer, body, reading, said);
  if (said === 'UNKNOWN' && call.method !== 'GET')
    throw toUnusable(call, status, 'JSON that says neither yes nor no', noEvidence);
  if (isJsonObject(value)) return assertShown(call, status, value);
  if (call.arrayAs !== undefined && Array.isArray(value)) return { [call.arrayAs]: value };
  // The message of the JSON parser is left out, because it quotes the body and would put the quote into the log.
  if (value !== undefined) throw toUnusable(call, status, 'JSON that is not an object', noEvidence);
  const evidence = body ? toPartEvidence(call, status, body, isEndedByClose(answer)) : noEvidence;
  throw toUnusable(call, status, 'a body that is not JSON', evidence);
}

/** Returns true if only the end of the connection ended the body: nobody can tell a whole body from a cut one. */
function isEndedByClose({ headers }: RawAnswer): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/**
 * Returns `answer` if it shows what the call asks for.
 *
 * @throws RestError if the answer shows another thing, or nothing that can be recognized
 */
function assertShown(call: Entry, status: number, answer: JsonObject): JsonObject {
  const id = call.entity && readShownId(call.entity, answer);
  if (!call.entity || typeof id === 'string') return answer;
  const reason = id === null ? 'another id than that asked for' : 'JSON without an id';
  throw toUnusable(call, status, reason, noEvidence);
}

function toStatusError(
  call: Entry,
  { status, headers }: RawAnswer,
  body: Buffer | undefined,
  { parse, readRejection, toVerdict }: Reading,
  said = toVerdict?.(status),
): RestError {
  // A proxy without a route answers with a page or a line of text, and has not asked the API.
  if (status === 404 && call.method === 'GET' && !isJsonOrEmpty(body, parse))
    return toUnusable(call, status, 'a body that is not JSON', noEvidence);
  const retryAfterSeconds = toRetryAfterSeconds(headers['retry-after']);
  const failure = toStatusFailure(status, said);
  const isVerdict = failures[failure].outcome === 'REJECTED';
  const reason = isVerdict && body?.length ? readRejection?.(call, body) : undefined;
  return new RestError(failure, call, { details: [], ...reason, status, retryAfterSeconds });
}

function isJsonOrEmpty(body: Buffer | undefined, parse: ParseJson): boolean {
  if (!body || body.length === 0) return body !== undefined;
  const value = readJson(body, parse);
  return Array.isArray(value) || isJsonObject(value);
}

/** Maximum wait that is recommended to clients: one hour. */
const MAX_SECONDS = 3600;

/**
 * Converts a `Retry-After` header (RFC 9110 §10.2.3), which holds seconds or an HTTP date, to whole seconds
 * from now, 0 to 3600. Returns `undefined` if the header is missing or malformed.
 */
export function toRetryAfterSeconds(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (toTime(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}

/**
 * Parses an HTTP date (RFC 9110 §5.6.7) to ms since 1970; `NaN` if malformed. Dates without `GMT` (asctime) are in GMT
 * too.
 */
function toTime(text: string): number {
  if (!/^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/.test(text)) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}
