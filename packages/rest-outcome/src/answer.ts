import type { IncomingHttpHeaders } from 'node:http';
import type { Entity, Evidence, JsonObject, RejectionReason, Verdicts } from './call.js';
import { failures, toStatusFailure } from './failures.js';
import type { Entry } from './ledger.js';
import { RestError } from './rest-error.js';

/** Status, headers and body of an answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body as received. May be incomplete. */
  readonly body: Buffer;
}

/** Returns the value of a JSON text: `JSON.parse`, or a parser with exact numbers. */
type ParseJson = (text: string) => unknown;

/** How the bodies of one API are read. */
export interface Reading extends Verdicts {
  /** Default: `JSON.parse`. */
  readonly parse: ParseJson;
  /** Default: nothing is read of the body of a rejection. */
  readonly readRejection?: ReadRejection | undefined;
}

/** Reads the body of an answer that proves `REJECTED`: any other one may be the work of a proxy, or of a defect. */
export type ReadRejection = (entry: Entry, body: Buffer) => RejectionReason;

const noEvidence: Evidence = { outcome: 'UNKNOWN' };

/**
 * Returns the JSON object of a whole 2xx answer that shows what the call asks for; an empty one for the 204 of a write without
 * an `entity`.
 *
 * @throws RestError for every other answer
 */
export function readAnswer(entry: Entry, answer: RawAnswer, reading: Reading): JsonObject {
  const { status, body } = answer;
  const { toBodyVerdict } = reading;
  const toError = toUnusable.bind(undefined, entry, status);
  if (!isAccepted(entry, status, reading)) throw toStatusError(entry, answer, reading);
  if (body.length === 0) {
    if (status === 204 && entry.isWrite && !entry.entity && !toBodyVerdict) return {};
    // 201 and 204 say that the request has been fulfilled (RFC 9110 §15.3.2, §15.3.5). A proxy may send any other 2xx.
    const isFulfilled = (status === 201 || status === 204) && entry.entity && !toBodyVerdict;
    throw toError('no body', isFulfilled ? { outcome: 'APPLIED' } : noEvidence);
  }
  const value = readJson(body, reading.parse);
  const verdict = value === undefined ? undefined : toBodyVerdict?.(value);
  if (verdict === 'REJECTED') throw toStatusError(entry, answer, reading, verdict);
  if (verdict === 'UNKNOWN' && entry.isWrite) throw toError('JSON that says neither yes nor no');
  if (isJsonObject(value)) {
    const id = entry.entity && readEntityId(entry.entity, value);
    if (!entry.entity || typeof id === 'string') return value;
    throw toError(id === null ? 'another id than that asked for' : 'JSON without an id');
  }
  if (entry.arrayAs !== undefined && Array.isArray(value)) return { [entry.arrayAs]: value };
  // The message of the JSON parser is left out, because it quotes the body and would put the quote into the log.
  if (value !== undefined) throw toError('JSON that is not an object');
  throw toError('a body that is not JSON', toPartEvidence(entry, answer, false));
}

/** Returns true for a status that says yes. */
export function isAccepted(entry: Entry, status: number, { toVerdict }: Verdicts): boolean {
  const is2xx = status >= 200 && status < 300;
  return is2xx && (!entry.isWrite || (toVerdict?.(status) ?? 'APPLIED') === 'APPLIED');
}

/** Returns the error of an answer that cannot be used: a 2xx, or a 404 to a read that may come from a proxy. */
function toUnusable(entry: Entry, status: number, body: string, evidence = noEvidence): RestError {
  const isShown = !entry.entity || evidence.id !== undefined;
  const failure = isShown ? 'unreadableAnswer' : 'entityNotShown';
  return new RestError(failure, entry, { status, body, evidence });
}

function toStatusError(
  entry: Entry,
  answer: RawAnswer,
  { parse, readRejection, toVerdict }: Reading,
  verdict = entry.isWrite ? toVerdict?.(answer.status) : undefined,
): RestError {
  const { status, headers, body } = answer;
  if (status === 404 && entry.method === 'GET' && body.length > 0) {
    const value = readJson(body, parse);
    // A proxy without a route answers with a page or a line of text, and has not asked the API.
    if (!isJsonObject(value) && !Array.isArray(value))
      return toUnusable(entry, status, 'a body that is not JSON');
  }
  const retryAfterSeconds = toRetryAfterSeconds(headers['retry-after']);
  const failure = toStatusFailure(status, verdict);
  const isRejected = failures[failure].outcome === 'REJECTED';
  const reason = isRejected && body.length > 0 ? readRejection?.(entry, body) : undefined;
  return new RestError(failure, entry, { ...reason, status, retryAfterSeconds });
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

/** Throws `TypeError` on invalid UTF-8, and drops a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An array, and a number of a parser that keeps numbers exact, have other prototypes. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns the JSON value of a body, or `undefined` for a body that is not JSON in UTF-8, or that `parse` cannot read. */
function readJson(body: Buffer, parse: ParseJson): unknown {
  try {
    return parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** Maximum length of the part of a body in which the id is looked for. It is parsed once for each of its commas. */
const MAX_EXAMINED_BYTES = 4_096;

/**
 * Returns what a 2xx proves whose body is not JSON as a whole. The id proves the write, if it stands in the part that is
 * JSON. So does the begin of an object that is cut before its id, but only under 201. Everything else may be a proxy's
 * answer, or a rejection.
 */
export function toPartEvidence({ entity }: Entry, answer: RawAnswer, isCut: boolean): Evidence {
  const part = answer.body.subarray(0, MAX_EXAMINED_BYTES);
  const members = readMembers(new TextDecoder().decode(part));
  if (!members || !entity) return noEvidence;
  const id = readEntityId(entity, members);
  if (typeof id === 'string') return { outcome: 'APPLIED', id };
  return id === undefined && isCut && answer.status === 201 ? { outcome: 'APPLIED' } : noEvidence;
}

/**
 * Returns the id in an answer. Returns `undefined` if it is missing, and `null` if it is another id than that asked for or
 * cannot be read: an error in a timer would end the process.
 */
function readEntityId(entity: Entity, answer: JsonObject): string | null | undefined {
  try {
    const id = entity.readId(answer);
    return typeof id !== 'string' || (entity.isAskedFor?.(id) ?? true) ? id : null;
  } catch {
    return null;
  }
}

/**
 * Returns the members of a JSON object that stand complete in the begin of its text, up to the first that is no JSON.
 * Returns `undefined` if the text does not begin with an object.
 */
function readMembers(begin: string): JsonObject | undefined {
  if (!/^\s*\{\s*(?:"|$)/.test(begin)) return undefined;
  // A number at the end may go on beyond the cut.
  const ends = [...begin.matchAll(/,|(?<!\d)$/g)].map(({ index }) => index);
  // A comma in a text, a list or an inner object is no end of a member: with it, the text is not JSON.
  const texts = [...ends.map((end) => `${begin.slice(0, end)}}`), begin];
  return texts.map((text) => readJson(Buffer.from(text), JSON.parse)).findLast(isJsonObject) ?? {};
}
