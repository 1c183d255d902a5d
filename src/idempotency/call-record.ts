import { assertShown } from '../rest/answer.js';
import { RestError, toUnusable } from '../rest/errors.js';
import { noEvidence, type Evidence } from '../rest/evidence.js';
import { parseExactJson } from '../rest/exact-json.js';
import type { Ending } from '../rest/failure.js';
import { toStatusFailure, type FailureName } from '../rest/failures.js';
import { isJsonObject } from '../rest/json-body.js';
import type { JsonCall, JsonObject } from '../rest/rest-call.js';

/** Result of a call, serialized for a store, which keeps `short` when it has no room for `whole`. */
export interface CallRecord {
  readonly whole: string;
  readonly short: string;
}

/** Maximum length of a record in characters; longer answers are not stored. */
const MAX_LENGTH = 1_048_576;

/** What was seen of a failed call, as far as a record holds it. */
type Seen = Pick<
  RestError,
  'status' | 'retryAfterSeconds' | 'details' | 'upstreamMessage' | 'deadlineMs' | 'excess'
>;

/** Record of a failed call. Version 0.2.0 writes neither `id` nor `excess` nor `upstreamMessage`. */
interface FailureRecord extends Seen, Partial<Evidence> {
  readonly ending: Ending;
}

/** Members without which the record of a failure is not read. Only endings that need the outcome have one. */
const needs: ReadonlyMap<unknown, readonly string[]> = new Map<Ending, (keyof FailureRecord)[]>([
  ['status', ['status', 'details']],
  ['unreadable', ['status', 'outcome']],
  ['cut', ['status', 'outcome']],
  ['no room', ['status', 'outcome']],
  ['timeout', ['deadlineMs', 'outcome']],
  ['connection lost', []],
]);

const isText = (value: unknown): boolean => typeof value === 'string';

/** Checks of the members that the record of a failure may have. */
const checks: Readonly<
  Record<Exclude<keyof FailureRecord, 'ending'>, (value: unknown) => boolean>
> = {
  status: Number.isSafeInteger,
  retryAfterSeconds: Number.isFinite,
  details: (value) => Array.isArray(value) && value.every(isDetail),
  upstreamMessage: isText,
  deadlineMs: Number.isFinite,
  outcome: (value) => value === 'APPLIED' || value === 'UNKNOWN',
  id: isText,
  excess: isText,
};

/** Record of a call of whose result nothing is known. */
const unknownRecord = JSON.stringify({ ending: 'unknown' });
/** Record of a success without the answer. */
export const answerNotKeptRecord = JSON.stringify({ ending: 'answer not kept' });

export function toAnswerRecord(answer: JsonObject): CallRecord {
  const short = answerNotKeptRecord;
  try {
    const whole = JSON.stringify({ ending: 'answer', answer });
    return { whole: whole.length <= MAX_LENGTH ? whole : short, short };
  } catch {
    // JSON.stringify overflows the stack at a nesting depth that JSON.parse can still handle.
    return { whole: short, short };
  }
}

/** Returns `undefined` when the key must be freed: the failed call changed nothing, and a later call may succeed. */
export function toErrorRecord(error: unknown): CallRecord | undefined {
  const isKnown = error instanceof RestError;
  if (isKnown && !error.meaning.keepsKey) return undefined;
  const { ending } = isKnown ? error.meaning : {};
  // Any other error is a bug of the gateway, and may have occurred after the call was sent.
  if (!isKnown || !ending) return { whole: unknownRecord, short: unknownRecord };
  const { status, retryAfterSeconds, details, upstreamMessage, deadlineMs, excess } = error;
  const hasOutcome = needs.get(ending)?.includes('outcome');
  const { outcome, shownId: id } = hasOutcome ? error : { outcome: undefined, shownId: undefined };
  const reason = { status, retryAfterSeconds, details, upstreamMessage };
  const kept = { ending, ...reason, deadlineMs, outcome, id, excess };
  const short = { ...kept, details: details && [], upstreamMessage: undefined };
  return { whole: JSON.stringify(kept), short: JSON.stringify(short) };
}

/**
 * Returns the answer in the record of an earlier call.
 *
 * @param call duplicate of the earlier call
 * @param text the record
 * @throws RestError equal to the error of the earlier call, if that call failed; `answerNotKept` or `keyUnsettled` if the
 *   record lacks the result
 */
export function readRecord(call: JsonCall, text: string): JsonObject {
  const record = parse(text);
  const { ending, answer } = record;
  // Version 0.2.0 also kept answers that do not show what the call asks for.
  if (ending === 'answer' && isJsonObject(answer)) return assertShown(call, 200, answer);
  if (ending === 'answer not kept') throw new RestError('answerNotKept', call);
  throw isFailure(record) ? toError(call, record) : new RestError('keyUnsettled', call);
}

/** Returns an empty object for a text that another version of the gateway, or a fault of the store, has written. */
function parse(text: string): JsonObject {
  try {
    const value = parseExactJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isFailure(record: JsonObject): record is JsonObject & FailureRecord {
  return (
    needs.get(record['ending'])?.every((name) => record[name] !== undefined) === true &&
    Object.entries(checks).every(
      ([name, check]) => record[name] === undefined || check(record[name]),
    )
  );
}

function isDetail(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { location, message } = value;
  const isStep = (step: unknown): boolean => typeof step === 'string' || Number.isSafeInteger(step);
  return Array.isArray(location) && location.every(isStep) && typeof message === 'string';
}

function toError(call: JsonCall, kept: FailureRecord): RestError {
  const { ending, outcome, id, status, excess, details, deadlineMs } = kept;
  // Version 0.2.0 kept `APPLIED` without evidence: for every 2xx that was not HTML or plain text.
  const isProved = id !== undefined || status === 201 || status === 204;
  const evidence = isProved && outcome ? { outcome, id } : noEvidence;
  if (ending === 'unreadable')
    return toUnusable(call, status!, 'an unusable body', evidence, { excess });
  const { retryAfterSeconds, upstreamMessage } = kept;
  const reason = { status, retryAfterSeconds, details, upstreamMessage };
  const seen = { ...reason, deadlineMs, evidence, excess };
  const failures: Readonly<Record<typeof ending, () => FailureName>> = {
    status: () => toStatusFailure(status!),
    cut: () => 'cutAnswer',
    'no room': () => 'noRoom',
    timeout: () => (status === undefined ? 'timeout' : 'timeoutInBody'),
    'connection lost': () => 'connectionLost',
  };
  return new RestError(failures[ending](), call, seen);
}
