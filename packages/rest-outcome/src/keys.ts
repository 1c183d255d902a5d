import { hash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entity, JsonObject, KeyResult, Read } from './call.js';
import type { Entry, ReadMore } from './ledger.js';
import type { FailureName } from './failures.js';
import { RestError } from './rest-error.js';

/**
 * What became of the first call with a key:
 * - `running`: the call is under way.
 * - `freed`: `NOT_SENT` or `REJECTED`, so a repeat is sent.
 * - `applied`: the API has carried the call out.
 * - `unknown`: nobody knows, so nothing is sent again.
 */
export type KeyState = 'running' | 'freed' | 'applied' | 'unknown';

/** A call that claims a key. */
export interface KeyClaim {
  /** Random for each call: tells the record of this call from all others. */
  readonly owner: string;
  /** Hash of the caller. */
  readonly by: string;
  /** Hash of method, path and body. */
  readonly fingerprint: string;
  /** Maximum time of the call from now, in ms. */
  readonly leaseMs: number;
  /** True for a call that has waited for another call: a key without a record was lost by the store, and is not new. */
  readonly onlyFreed: boolean;
}

/** The record of a key, as a claim has found or made it. */
export interface KeyRecord extends Pick<KeyClaim, 'owner' | 'by' | 'fingerprint'> {
  /** `unknown` in place of `running` if the lease has ended: the process of the call has died. */
  readonly state: KeyState;
  /** Id of the thing that the call has written, if its answer showed one. */
  readonly id?: string | undefined;
}

/**
 * Holds a key while its write was, or may have been, made. Each method is atomic, and takes the time from one clock for all
 * processes.
 */
export interface KeyStore {
  /**
   * Claims a key that has no record, or a `freed` one with the fingerprint of the claim, for its whole lifetime.
   *
   * @param key hash of the key and its scope
   * @returns the record of the key: that of the claim, with its `owner`, if the claim succeeded. `undefined` if the claim
   *   is `onlyFreed`, and the key has no record
   * @throws StoreFullError when the store has no room for the key; any other error when the store cannot be reached. A claim
   *   that was made although its reply was lost must be freed as soon as the store answers, because its call is not made
   */
  claim(key: string, claim: KeyClaim): Promise<KeyRecord | undefined>;
  /** Records how the call of an owner has ended. Does nothing if the record is another owner's, or gone. */
  keep(key: string, owner: string, state: 'applied' | 'unknown', id?: string): Promise<void>;
  /**
   * Records that the call of an owner has changed nothing. Does nothing if the record is another owner's, or gone. The
   * record is gone after `leaseMs`: until then a call that waits can tell it from a record that the store lost.
   */
  free(key: string, owner: string, leaseMs: number): Promise<void>;
  /** Called when the client has closed and its calls have ended. */
  close?(): Promise<void>;
}

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

/** How a client treats calls with a key. Every option has a default. */
export interface KeyOptions<Context> {
  /**
   * Returns who makes the calls of an operation. A repeat by another caller learns of the first call only what its own read
   * shows. Default: all calls are one caller's.
   */
  readonly by?: ((context: Context) => string | Promise<string>) | undefined;
  /**
   * Returns whose keys the keys of an operation are: equal keys of two scopes are two keys, and the API gets a hash of scope
   * and key in place of the key. Default: all keys have one scope.
   */
  readonly scope?: ((context: Context) => string | Promise<string>) | undefined;
  /** Returns the read of what a write has made, if there is one. Default: a repeat gets the id alone. */
  readonly read?: ((id: string, write: Entry) => ReadOfWritten | undefined) | undefined;
}

type ReadOfWritten = Read & { readonly entity: Required<Pick<Entity, 'isAskedFor'>> & Entity };

/** A write with a key, and what its repeat needs. */
interface KeyedCall<Context> {
  readonly entry: Entry;
  readonly context: Context;
  /** Maximum time of the call, in ms from now. */
  readonly deadlineMs: number;
  /** Sends the write: the levels below. */
  readonly send: () => Promise<JsonObject>;
  /** Reads in the name of the operation. */
  readonly read: ReadMore;
}

/** The keys of one client. */
export interface Keys<Context> {
  /** Sends a write with a key, unless it was, or may have been, sent before. */
  send(keyed: KeyedCall<Context>): Promise<JsonObject>;
  /** Waits for the calls with a key that are under way, and closes the store. */
  close(): Promise<void>;
}

/** A call with a key that is under way in this process. */
type RunningCall = Readonly<{ entry: Entry; result: Promise<JsonObject> }>;

/** Time that a call has after its deadline to record how it has ended. */
const LEASE_MARGIN_MS = 2_000;
/** First interval of polling for the end of a call in another process; doubles up to `LONGEST_PAUSE_MS`. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * Sends a write with a key at most once while the store holds the key, which it does while the write was, or may have been,
 * made.
 *
 * @param store keys of this client, or of all clients that share the store
 */
export function idempotent<Context>(
  store: KeyStore,
  options: KeyOptions<Context> = {},
): Keys<Context> {
  const { by: toCaller = () => '', scope: toScope, read: toRead } = options;
  /** Calls with a key that this process makes or waits for, by key, caller and fingerprint. */
  const running = new Map<string, RunningCall>();

  async function send(keyed: KeyedCall<Context>): Promise<JsonObject> {
    const { entry, context } = keyed;
    const { method, path, body } = entry;
    const scope = await toScope?.(context);
    const key = toHash([scope ?? '', entry.key]);
    const by = toHash([await toCaller(context)]);
    const fingerprint = toHash([method, path, body]);
    entry.keyId = key;
    // An API that cannot tell the scopes apart would take equal keys of two scopes for one.
    if (scope !== undefined) entry.key = key;
    const name = key + by + fingerprint;
    const first = running.get(name);
    if (first) return join(first, entry);
    const result = sendFirst(keyed, { key, by, fingerprint });
    running.set(name, { entry, result });
    return result.finally(() => running.delete(name));
  }

  /** Shares the call of this process. Waits without a timeout, because the deadline of the first call is earlier. */
  async function join(first: RunningCall, entry: Entry): Promise<JsonObject> {
    entry.keyResult = 'joined';
    try {
      return await first.result;
    } finally {
      entry.settle(first.entry.outcome, first.entry.id);
    }
  }

  async function sendFirst(
    keyed: KeyedCall<Context>,
    { key, by, fingerprint }: Pick<KeyClaim, 'by' | 'fingerprint'> & { readonly key: string },
  ): Promise<JsonObject> {
    const { entry, deadlineMs } = keyed;
    const deadlineAt = performance.now() + deadlineMs;
    entry.deadlineAt = deadlineAt;
    const leaseMs = deadlineMs + LEASE_MARGIN_MS;
    const owner = randomUUID();
    const refuse = (result: KeyResult, failure: FailureName, known = {}) => {
      entry.keyResult = result;
      return new RestError(failure, entry, known);
    };
    /** True if an earlier call with the key was under way: `NOT_SENT` could be false from then on. */
    let hasWaited = false;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const claim = { owner, by, fingerprint, leaseMs, onlyFreed: hasWaited };
      const found = await store.claim(key, claim).catch((cause: unknown) => {
        if (hasWaited) throw refuse('unsettled', 'keyUnsettled', { cause });
        if (!(cause instanceof StoreFullError)) throw refuse('refused', 'keyRefused', { cause });
        const { retryAfterSeconds } = cause;
        throw refuse('refused', 'keyStoreFull', { cause, retryAfterSeconds });
      });
      if (found?.owner === owner) return sendAndRecord(keyed, key, owner, leaseMs);
      const isReused = found && found.fingerprint !== fingerprint;
      if (isReused && !hasWaited) throw refuse('reused', 'keyReused');
      if (found?.state === 'applied' && !isReused)
        return repeat(keyed, found.id, found.by === by, deadlineAt);
      // After a wait, the store has lost the key that the first call had.
      const isLost = !found || isReused;
      const isLate = performance.now() + pauseMs > deadlineAt;
      if (isLost || found.state === 'unknown' || isLate) throw refuse('unsettled', 'keyUnsettled');
      hasWaited = true;
      await sleep(pauseMs);
    }
  }

  /** Sends a call whose key is claimed, and records what the ledger says of it. */
  async function sendAndRecord(
    { entry, send: sendNow }: KeyedCall<Context>,
    key: string,
    owner: string,
    leaseMs: number,
  ): Promise<JsonObject> {
    entry.keyResult = 'made';
    try {
      return await sendNow();
    } catch (error) {
      entry.refuse(error);
      throw error;
    } finally {
      const { outcome, id } = entry;
      const recorded =
        outcome === 'NOT_SENT' || outcome === 'REJECTED'
          ? store.free(key, owner, leaseMs)
          : store.keep(key, owner, outcome === 'APPLIED' ? 'applied' : 'unknown', id);
      // A failure of the store must not replace the result of a call that was made.
      await recorded.catch(() => {});
    }
  }

  /** Answers a repeat of a call that was applied with what a read of its own shows. */
  async function repeat(
    { entry, read }: KeyedCall<Context>,
    id: string | undefined,
    isOwn: boolean,
    deadlineAt: number,
  ): Promise<JsonObject> {
    entry.keyResult = 'repeated';
    // Before the read, whose failure changes nothing of it.
    if (isOwn) entry.settle('APPLIED', id);
    if (isOwn && !entry.entity) return {};
    let cause: unknown;
    try {
      const wanted = id === undefined ? undefined : toRead?.(id, entry);
      if (wanted) {
        const answer = await read(wanted, { deadlineAt, hidesPath: !isOwn });
        entry.settle('APPLIED', id);
        return answer;
      }
    } catch (error) {
      cause = error;
    }
    if (isOwn) {
      const evidence = { outcome: 'APPLIED', id } as const;
      throw new RestError('keyApplied', entry, { evidence, cause });
    }
    entry.keyResult = 'unsettled';
    throw new RestError('keyUnsettled', entry, { cause });
  }

  return {
    send,
    async close() {
      await Promise.allSettled([...running.values()].map(({ result }) => result));
      await store.close?.();
    },
  };
}

/** Returns a hash that reveals no part. */
function toHash(parts: readonly (string | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
