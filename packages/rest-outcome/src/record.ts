import { assertShown } from './answer.js';
import type { JsonCall, JsonObject, RestCall, Verdict } from './call.js';
import { type Evidence, isJsonObject, noEvidence, type ParseJson, readJson } from './evidence.js';
import { toStatusFailure, type Ending, type FailureName } from './failures.js';
import { LedgerEntry } from './operation.js';
import { RestError, toUnusable, type Seen } from './rest-error.js';

/** Thrown by a store that has no room for a key. */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError';

  /** @param retryAfterSeconds time until the first key expires; `undefined` if it is not known */
  constructor(
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** Stores the result of the first call with each idempotency key, until the key expires. */
export interface KeyStore {
  /**
   * Claims a key for a call, or returns the state in which an earlier call left the key. Atomic: of two concurrent
   * claims only one succeeds.
   *
   * @param id hash of the key, its caller and its purpose
   * @param fingerprint hash of the call's method, path and body
   * @param callerId hash of the caller who sent the key
   * @param leaseMs maximum time of the call from now. After that, a call without a record counts as `lost`
   * @param over claims the key also over this record, or, if empty, over a `lost` call. The key then has no record, and
   *   expires as before. Only calls to an API that honours keys need it
   * @throws StoreFullError when the store has no room for the key; any other error when it cannot be reached
   */
  claim(
    id: string,
    fingerprint: string,
    callerId: string,
    leaseMs: number,
    over?: string,
  ): Promise<Claimed | Found>;
  /** Called when the client has closed and its calls have ended. A store that several clients share has no `close`. */
  close?(): Promise<void>;
}

/** State of a key that an earlier call has claimed; `settled` comes with the record of that call's result. */
export type Found =
  | { readonly state: 'running' }
  /** The lease of the earlier call expired without a record: its process has died, or could not store the record. */
  | ({ readonly state: 'lost' } & Claimant)
  /** The earlier call had another fingerprint. */
  | { readonly state: 'reused' }
  | ({ readonly state: 'settled'; readonly record: string } & Claimant);

/** `callerId` of the claim. Without it, the earlier call counts as another caller's where `canRead` is given. */
interface Claimant {
  readonly callerId?: string | undefined;
}

/**
 * A claimed key. Call `keep` or `free` when the call has ended. Neither rejects, because a storage failure must not
 * replace the result of a call that has been made.
 */
export interface Claimed {
  readonly state: 'claimed';
  /**
   * Stores the result of the call.
   *
   * @param shortRecord stored instead of `record` when the store has no room for `record`
   */
  keep(record: string, shortRecord: string): Promise<void>;
  /** Deletes the key, as if there had been no call. */
  free(): Promise<void>;
}

/** Result of a call, serialized for a store, which keeps `short` when it has no room for `whole`. */
interface CallRecord {
  readonly whole: string;
  readonly short: string;
}

/** Maximum length of a record in characters; longer answers are not stored. */
const MAX_LENGTH = 1_048_576;

/** Record of a failed call. Version 0.2.0 writes neither `id` nor `excess` nor `upstreamMessage`. */
interface Kept extends Omit<Seen, 'bound'>, Pick<Evidence, 'id'> {
  readonly ending: Ending;
  readonly outcome?: Verdict;
}

/**
 * For each ending: the members without which its record is not read, and the failure. Only endings that need the outcome
 * have one.
 */
const endings: Readonly<
  Record<Ending, readonly [needs: readonly (keyof Kept)[], (kept: Kept) => FailureName]>
> = {
  status: [['status', 'details'], (kept) => toStatusFailure(kept.status!, kept.outcome)],
  unreadable: [['status', 'outcome'], () => 'unreadableAnswer'],
  cut: [['status', 'outcome'], () => 'cutAnswer'],
  'no room': [['status', 'outcome'], () => 'noRoom'],
  timeout: [['deadlineMs', 'outcome'], (kept) => (kept.status ? 'timeoutInBody' : 'timeout')],
  'connection lost': [[], () => 'connectionLost'],
};

/** Checks of the members that the record of a failure may have. */
const checks: Readonly<Record<Exclude<keyof Kept, 'ending'>, (value: unknown) => boolean>> = {
  status: Number.isSafeInteger,
  retryAfterSeconds: Number.isFinite,
  details: (value) => Array.isArray(value) && value.every(isDetail),
  upstreamMessage: isText,
  deadlineMs: Number.isFinite,
  outcome: (value) => value === 'APPLIED' || value === 'REJECTED' || value === 'UNKNOWN',
  id: isText,
  excess: isText,
};

const unknownRecord = JSON.stringify({ ending: 'unknown' });
/** Kept for a call of whose result nothing is known. */
const unknown: CallRecord = { whole: unknownRecord, short: unknownRecord };
/** Record of a success without the answer. */
export const answerNotKeptRecord = JSON.stringify({ ending: 'answer not kept' });

/** An earlier call whose outcome is `UNKNOWN`. */
export interface Unsettled {
  /** Its record; empty if the call was `lost`. */
  readonly record: string;
  readonly error: RestError;
}

/** Returns the earlier call in the state of a key, if its outcome is `UNKNOWN`. */
export function toUnsettled(
  call: JsonCall,
  found: Claimed | Found,
  parse: ParseJson,
): Unsettled | undefined {
  if (found.state === 'lost') return { record: '', error: new RestError('keyUnsettled', call) };
  if (found.state !== 'settled') return undefined;
  const { record } = found;
  try {
    readRecord(call, record, parse);
    return undefined;
  } catch (error) {
    return error instanceof RestError && error.outcome === 'UNKNOWN'
      ? { record, error }
      : undefined;
  }
}

/**
 * Makes a call whose key was claimed, and keeps its result, or frees the key.
 *
 * @param earlier call with the key that is repeated: only an answer that shows the thing settles what became of both
 */
export async function makeAndKeep(
  call: RestCall,
  make: (call: RestCall) => Promise<JsonObject>,
  claimed: Claimed,
  earlier?: Unsettled,
): Promise<JsonObject> {
  const settle = async (record: CallRecord | undefined): Promise<void> =>
    record ? claimed.keep(record.whole, record.short) : claimed.free();
  const answer = await make(call).catch(async (error: unknown) => {
    const isRestError = error instanceof RestError;
    if (!earlier || (isRestError && error.shownId !== undefined)) {
      await settle(toErrorRecord(error));
      throw error;
    }
    await claimed.keep(earlier.record || unknownRecord, unknownRecord);
    // Its attempt has left what it proves in the ledger: a refusal of the duplicate proves nothing of the write.
    if (call.entry instanceof LedgerEntry) call.entry.fail(earlier.error);
    throw isRestError ? earlier.error : error;
  });
  await settle(toAnswerRecord(answer));
  return answer;
}

function toAnswerRecord(answer: JsonObject): CallRecord {
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
  if (!ending || !(error instanceof RestError)) return unknown;
  const { status, retryAfterSeconds, details, upstreamMessage, deadlineMs, excess } = error;
  // The rules of the API may say something else than the status does.
  const hasOwnRule = ending === 'status' && toStatusFailure(status!) !== error.failure;
  const hasOutcome = hasOwnRule || endings[ending][0].includes('outcome');
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

/** Returns the id that the record of an earlier call shows, if it shows one. */
export function readRecordId(call: JsonCall, record: string, parse: ParseJson): string | undefined {
  try {
    return call.entity?.readId(readRecord(call, record, parse)) ?? undefined;
  } catch (error) {
    return error instanceof RestError ? error.shownId : undefined;
  }
}

function isKept(record: JsonObject): record is JsonObject & Kept {
  const ending = Object.entries(endings).find(([name]) => name === record['ending']);
  return (
    ending?.[1][0].every((name) => record[name] !== undefined) === true &&
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
  const evidence = isProved && outcome === 'APPLIED' ? { outcome, id } : noEvidence;
  if (ending === 'unreadable')
    return toUnusable(call, status!, 'an unusable body', evidence, { excess });
  const { retryAfterSeconds, upstreamMessage } = kept;
  const reason = { status, retryAfterSeconds, details, upstreamMessage };
  const seen = { ...reason, deadlineMs, evidence, excess };
  return new RestError(endings[ending][1](kept), call, seen);
}
