import { hash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entity, JsonObject, Read } from './call.js';
import type { Entry, ReadMore } from './ledger.js';
import { RestError } from './rest-error.js';

/**
 * What became of the first call with a key:
 * - `running`: the call is under way.
 * - `freed`: `NOT_SENT` or `REJECTED`, so a repeat is sent.
 * - `applied`: the API has carried the call out.
 * - `unknown`: nobody knows, so nothing is sent again.
 */
export const keyStates = ['running', 'freed', 'applied', 'unknown'] as const;

/** Lifetime of a key, from its claim, unless a store has another one: 48 hours. */
export const KEY_TTL_MS = 172_800_000;

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
  readonly state: (typeof keyStates)[number];
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
   * @throws Error when the store cannot be reached, or has no room for the key. A claim that was made although its reply was
   *   lost must be freed as soon as the store answers, because its call is not made
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
export type Keys<Context> = ReturnType<typeof idempotent<Context>>;

/** Time that a call has after its deadline to record how it has ended. */
const LEASE_MARGIN_MS = 2_000;
/** Interval of polling for the end of a call in another process. */
const PAUSE_MS = 50;

/**
 * Sends a write with a key at most once while the store holds the key, which it does while the write was, or may have been,
 * made.
 *
 * @param store keys of this client, or of all clients that share the store
 */
export function idempotent<Context>(store: KeyStore, options: KeyOptions<Context> = {}) {
  const { by: toCaller = () => '', scope: toScope, read: toRead } = options;
  /** Calls with a key that this process makes or waits for, by key, caller and fingerprint. */
  const running = new Map<string, Readonly<{ entry: Entry; result: Promise<JsonObject> }>>();

  /** Sends a write with a key, unless it was, or may have been, sent before. */
  async function send(keyed: KeyedCall<Context>): Promise<JsonObject> {
    const { entry, context } = keyed;
    const { method, path, body } = entry;
    const scope = await toScope?.(context);
    const key = toHash([scope ?? '', entry.key]);
    const by = toHash([await toCaller(context)]);
    const fingerprint = toHash([method, path, body]);
    entry.keyId = key;
    entry.isMade = false;
    // An API that cannot tell the scopes apart would take equal keys of two scopes for one.
    if (scope !== undefined) entry.key = key;
    const name = key + by + fingerprint;
    const first = running.get(name);
    if (!first) {
      const result = sendFirst(keyed, key, by, fingerprint);
      running.set(name, { entry, result });
      return result.finally(() => running.delete(name));
    }
    // Waits without a timeout, because the deadline of the first call is earlier.
    try {
      return await first.result;
    } finally {
      entry.settle(first.entry.outcome, first.entry.id);
    }
  }

  async function sendFirst(
    keyed: KeyedCall<Context>,
    key: string,
    by: string,
    fingerprint: string,
  ): Promise<JsonObject> {
    const { entry, deadlineMs } = keyed;
    const deadlineAt = (entry.deadlineAt = performance.now() + deadlineMs);
    const leaseMs = deadlineMs + LEASE_MARGIN_MS;
    const owner = randomUUID();
    /** True if an earlier call with the key was under way: `NOT_SENT` could be false from then on. */
    let hasWaited = false;
    for (;;) {
      const claim = { owner, by, fingerprint, leaseMs, onlyFreed: hasWaited };
      const found = await store.claim(key, claim).catch((cause: unknown) => {
        if (hasWaited) throw new RestError('keyUnsettled', entry, { cause });
        throw new RestError('keyRefused', entry, { cause });
      });
      if (found?.owner === owner) return sendAndRecord(keyed, key, owner, leaseMs);
      const isReused = found && found.fingerprint !== fingerprint;
      if (isReused && !hasWaited) throw new RestError('keyReused', entry);
      if (found?.state === 'applied' && !isReused) return repeat(keyed, found, found.by === by);
      // After a wait, the store has lost the key that the first call had.
      const isLost = !found || isReused;
      const isLate = performance.now() + PAUSE_MS > deadlineAt;
      if (isLost || found.state === 'unknown' || isLate) throw new RestError('keyUnsettled', entry);
      hasWaited = true;
      await sleep(PAUSE_MS);
    }
  }

  /** Sends a call whose key is claimed, and records what the ledger says of it. */
  async function sendAndRecord(
    { entry, send: sendNow }: KeyedCall<Context>,
    key: string,
    owner: string,
    leaseMs: number,
  ): Promise<JsonObject> {
    entry.isMade = true;
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
    { id }: KeyRecord,
    isOwn: boolean,
  ): Promise<JsonObject> {
    // Before the read, whose failure changes nothing of it.
    if (isOwn) entry.settle('APPLIED', id);
    if (isOwn && !entry.entity) return {};
    let cause: unknown;
    try {
      const wanted = id === undefined ? undefined : toRead?.(id, entry);
      if (wanted) {
        const answer = await read(wanted, { deadlineAt: entry.deadlineAt, hidesPath: !isOwn });
        entry.settle('APPLIED', id);
        return answer;
      }
    } catch (error) {
      cause = error;
    }
    if (!isOwn) throw new RestError('keyUnsettled', entry, { cause });
    throw new RestError('keyApplied', entry, { evidence: { outcome: 'APPLIED', id }, cause });
  }

  return {
    send,
    /** Waits for the calls with a key that are under way, and closes the store. */
    async close(): Promise<void> {
      await Promise.allSettled([...running.values()].map(({ result }) => result));
      await store.close?.();
    },
  };
}

/** Returns a hash that reveals no part. */
function toHash(parts: readonly (string | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
