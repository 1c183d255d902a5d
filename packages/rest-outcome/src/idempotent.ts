import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, RestCall } from './call.js';
import { LedgerEntry, type Operation, type Wrap, type Wrapped } from './operation.js';
import {
  makeAndKeep,
  readRecord,
  readRecordId,
  StoreFullError,
  toUnsettled,
  type Claimed,
  type Found,
  type KeyStore,
  type Unsettled,
} from './record.js';
import { RestError } from './rest-error.js';

/**
 * Result of a call with an idempotency key:
 * - `made`: the key was new, and the call was made.
 * - `repeated`: the first call with the key had ended, and its stored result was returned.
 * - `joined`: the first call was under way in this process, and its result was shared.
 * - `reused`: refused, because the key had been used with other arguments.
 * - `unsettled`: failed, because the result of the first call is not known.
 * - `resent`: the result of the first call was not known, and the call was sent on to an API that honours keys.
 * - `refused`: refused, because the store could not be reached or was full.
 */
export const keyResults = [
  'made',
  'repeated',
  'joined',
  'reused',
  'unsettled',
  'resent',
  'refused',
] as const;

export type KeyResult = (typeof keyResults)[number];

export interface IdempotentOptions<Needed> {
  /** Returns the caller whose keys these are: no caller gets the results of another. Default: all keys have one scope. */
  readonly scope?: ((about: Needed) => string | Promise<string>) | undefined;
  /**
   * Reads a thing in the name of the operation, and returns whether the API shows it. For callers whose ids change: with it, a key must be
   * a UUID, and is found whoever sends it. The result of another caller's call goes to a caller for whom `canRead` is true of the thing in
   * the result; everybody else gets `UNKNOWN`. Such a call is never sent again.
   */
  readonly canRead?: CanRead | undefined;
  /** True if the API cannot tell callers apart: it then gets a hash in place of each key. Default: true. */
  readonly isOneCaller?: boolean | undefined;
  /**
   * True if the API honours keys: a duplicate of a call whose outcome is `UNKNOWN` is sent on, with the key. Default: false.
   */
  readonly isHonoured?: boolean | undefined;
  /** Called once for each call with a key. */
  readonly onResult?: ((result: KeyResult) => void) | undefined;
  /** Called once for each key whose outcome `UNKNOWN` is kept. */
  readonly onUnknown?: (() => void) | undefined;
}

const results: Readonly<Record<Found['state'], KeyResult>> = {
  settled: 'repeated',
  reused: 'reused',
  lost: 'unsettled',
  running: 'unsettled',
};

type CanRead = (id: string, call: RestCall, by: Pick<Operation, 'read'>) => Promise<boolean>;
type Next = (call: RestCall) => Promise<JsonObject>;
type Claim = (over?: string) => Promise<Claimed | Found>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Time that a call has after its deadline to store its result. */
const LEASE_MARGIN_MS = 2_000;
/** First interval of polling for the result of a call in another process; doubles up to `LONGEST_PAUSE_MS`. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * Returns the wrap that sends a write with an idempotency key at most once: duplicate requests get the result of the first
 * call. If the API honours keys, a duplicate of a call whose outcome is `UNKNOWN` is sent on. Calls without a key pass
 * through. Its `close` waits for the calls with a key that are under way, and closes the store.
 *
 * @param store keys of this client, or of all clients that share the store
 */
export function idempotent<Needed extends object>(
  store: KeyStore,
  options: IdempotentOptions<Needed> = {},
): Wrap<Needed> {
  const { scope = () => '', isOneCaller = true, isHonoured = false, onResult } = options;
  const { canRead, onUnknown } = options;
  /** Calls with a key that this process makes or waits for, by key and fingerprint. */
  const running = new Map<string, Promise<JsonObject>>();

  async function send(
    call: RestCall,
    by: Pick<Operation<Needed>, 'about' | 'read'>,
    client: Wrapped,
    next: Next,
  ) {
    const { method, path, template, body, key, keyScope = `${method} ${template}` } = call;
    if (canRead && !UUID.test(key!)) throw new RestError('keyGuessable', call);
    const scopeId = await scope(by.about);
    const id = toHash([canRead ? '' : scopeId, keyScope, key]);
    const callerId = toHash([scopeId]);
    if (call.entry instanceof LedgerEntry) call.entry.keyId = id;
    const fingerprint = toHash([method, path, body]);
    // Calls with other fingerprints go to the store, which knows the first call even if this process does not.
    const place = id + callerId + fingerprint;
    // Waits without a timeout: the deadline of the first call is earlier than that of the duplicate.
    const first = running.get(place);
    if (first) {
      onResult?.('joined');
      return first;
    }
    // An API that scopes keys by caller would mix up what our callers create.
    const keyed = { ...call, key: isOneCaller ? id : key };
    const leaseMs = client.deadlineMs + LEASE_MARGIN_MS;
    const claim: Claim = (over) => store.claim(id, fingerprint, callerId, leaseMs, over);
    /** Returns true if an earlier call was made by another caller, who may see what this caller must not. */
    const isWithheld = async (found: Found): Promise<boolean> => {
      if (!canRead || found.state === 'running' || found.state === 'reused') return false;
      if (found.callerId === callerId) return false;
      if (found.state === 'lost') return true;
      const shownId = readRecordId(call, found.record, client.parse);
      return shownId === undefined || !(await canRead(shownId, call, by).catch(() => false));
    };
    const result = sendClaimed(keyed, client, next, claim, isWithheld).finally(() =>
      running.delete(place),
    );
    running.set(place, result);
    return result;
  }

  async function sendClaimed(
    call: RestCall,
    { deadlineMs, parse }: Wrapped,
    next: Next,
    claim: Claim,
    isWithheld: (found: Found) => Promise<boolean>,
  ): Promise<JsonObject> {
    const deadlineAt = performance.now() + deadlineMs;
    /** True if an earlier call with the key has been seen: `NOT_SENT` could be false then. */
    let hasSeen = false;
    let earlier: Unsettled | undefined;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const found = await claim(earlier?.record).catch((error: unknown) => {
        onResult?.(hasSeen ? 'unsettled' : 'refused');
        const isFull = error instanceof StoreFullError;
        const retryAfterSeconds = isFull ? error.retryAfterSeconds : undefined;
        if (hasSeen) throw new RestError('keyUnsettled', call, { cause: error });
        if (isFull) throw new RestError('keyStoreFull', call, { cause: error, retryAfterSeconds });
        throw new RestError('keyRefused', call, { cause: error });
      });
      if (found.state === 'claimed') {
        onResult?.(earlier ? 'resent' : 'made');
        return makeAndKeep({ ...call, deadlineAt }, next, found, earlier).catch(
          (error: unknown) => {
            if (!earlier && isKeptUnknown(error)) onUnknown?.();
            throw error;
          },
        );
      }
      if (await isWithheld(found)) {
        onResult?.('unsettled');
        throw new RestError('keyOfOtherToken', call);
      }
      // A duplicate that has waited for another call gets the result of that call, even if it is `UNKNOWN`.
      earlier = isHonoured && !hasSeen ? toUnsettled(call, found, parse) : undefined;
      hasSeen = true;
      if (earlier) continue;
      const isLate = performance.now() + pauseMs > deadlineAt;
      if (found.state !== 'running' || isLate) onResult?.(results[found.state]);
      if (found.state === 'settled') return readRecord(call, found.record, parse);
      if (found.state === 'reused') throw new RestError('keyReused', call);
      if (found.state === 'lost' || isLate) throw new RestError('keyUnsettled', call);
      await sleep(pauseMs);
    }
  }

  const wrap: Wrap<Needed> = (next, client) => (call, operation) =>
    call.key === undefined
      ? next(call, operation)
      : send(call, operation, client, (keyed) => next(keyed, operation));
  wrap.close = async () => {
    await Promise.allSettled(running.values());
    await store.close?.();
  };
  return wrap;
}

/** Returns true for an error whose record leaves the outcome of the write unknown. A defect is one. */
function isKeptUnknown(error: unknown): boolean {
  if (!(error instanceof RestError)) return true;
  return error.outcome === 'UNKNOWN' && error.meaning.keepsKey;
}

/** Returns a hash that reveals no part: of caller, purpose and key, it identifies a key in the store. */
function toHash(parts: readonly (string | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
