import { assertShown } from './answer.js';
import type { JsonCall, JsonObject } from './call.js';
import { noEvidence, type Evidence } from './evidence.js';
import { toStatusFailure, type Ending, type FailureName } from './failures.js';
import { isJsonObject, readJson, type ParseJson } from './json.js';
import { RestError, toUnusable, type Seen } from './rest-error.js';

/** Result of a call, serialized for a store, which keeps `short` when it has no room for `whole`. */
export interface CallRecord {
  readonly whole: string;
  readonly short: string;
}

/** Maximum length of a record in characters; longer answers are not stored. */
const MAX_LENGTH = 1_048_576;

/** Record of a failed call. Version 0.2.0 writes neither `id` nor `excess` nor `upstreamMessage`. */
interface Kept extends Seen, Partial<Evidence> {
  readonly ending: Ending;
}

/**
 * For each ending: the members without which its record is not read, and the failure. Only endings that need the outcome
 * have one.
 */
const endings: ReadonlyMap<unknown, readonly [(keyof Kept)[], (kept: Kept) => FailureName]> =
  new Map<Ending, readonly [(keyof Kept)[], (kept: Kept) => FailureName]>([
    ['status', [['status', 'details'], ({ status }) => toStatusFailure(status!)]],
    ['unreadable', [['status', 'outcome'], () => 'unreadableAnswer']],
    ['cut', [['status', 'outcome'], () => 'cutAnswer']],
    ['no room', [['status', 'outcome'], () => 'noRoom']],
    ['timeout', [['deadlineMs', 'outcome'], (kept) => (kept.status ? 'timeoutInBody' : 'timeout')]],
    ['connection lost', [[], () => 'connectionLost']],
  ]);

/** Checks of the members that the record of a failure may have. */
const checks: Readonly<Record<Exclude<keyof Kept, 'ending'>, (value: unknown) => boolean>> = {
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
  const { ending, keepsKey = true } = error instanceof RestError ? error.meaning : {};
  if (!keepsKey) return undefined;
  // Any other error is a defect, and may have occurred after the call was sent.
  if (!ending || !(error instanceof RestError))
    return { whole: unknownRecord, short: unknownRecord };
  const { status, retryAfterSeconds, details, upstreamMessage, deadlineMs, excess } = error;
  const hasOutcome = endings.get(ending)?.[0].includes('outcome');
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
 * @param text the record. Another version of this package, or a fault of the store, may have written any text
 * @throws RestError equal to the error of the earlier call, if that call failed; `answerNotKept` or `keyUnsettled` if the
 *   record lacks the result
 */
export function readRecord(
  call: JsonCall,
  text: string,
  parse: ParseJson = JSON.parse,
): JsonObject {
  const value = readJson(Buffer.from(text), parse);
  const record = isJsonObject(value) ? value : {};
  const { ending, answer } = record;
  // Version 0.2.0 also kept answers that do not show what the call asks for.
  if (ending === 'answer' && isJsonObject(answer)) return assertShown(call, 200, answer);
  if (ending === 'answer not kept') throw new RestError('answerNotKept', call);
  throw isKept(record) ? toError(call, record) : new RestError('keyUnsettled', call);
}

function isKept(record: JsonObject): record is JsonObject & Kept {
  const [needs] = endings.get(record['ending']) ?? [];
  return (
    needs?.every((name) => record[name] !== undefined) === true &&
    Object.entries(checks).every(
      ([name, isFine]) => record[name] === undefined || isFine(record[name]),
    )
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isDetail(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { location, message } = value;
  const isStep = (step: unknown): boolean => isText(step) || Number.isSafeInteger(step);
  return Array.isArray(location) && location.every(isStep) && isText(message);
}

function toError(call: JsonCall, kept: Kept): RestError {
  const { ending, outcome, id, status, excess, details, deadlineMs } = kept;
  // Version 0.2.0 kept `APPLIED` without evidence: for every 2xx that was not HTML or plain text.
  const isProved = id !== undefined || status === 201 || status === 204;
  const evidence = isProved && outcome ? { outcome, id } : noEvidence;
  if (ending === 'unreadable')
    return toUnusable(call, status!, 'an unusable body', evidence, excess);
  const { retryAfterSeconds, upstreamMessage } = kept;
  const seen = { status, retryAfterSeconds, details, upstreamMessage, deadlineMs, evidence };
  return new RestError(endings.get(ending)![1](kept), call, seen);
}
