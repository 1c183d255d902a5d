import { hash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entity, JsonObject, Read } from './call.js';
import type { KeyClaim, KeyRecord, KeyStore } from './key-store.js';
import type { Entry, ReadMore } from './ledger.js';
import { RestError } from './rest-error.js';

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
  /** Sends the write: the levels below. */
  readonly send: () => Promise<JsonObject>;
  /** Reads in the name of the operation. */
  readonly read: ReadMore;
}

type Names = Pick<KeyClaim, 'by' | 'fingerprint'>;

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
  const identify = async (context: Context) => Promise.all([toScope?.(context), toCaller(context)]);

  /** Sends a write with a key, unless it was, or may have been, sent before. */
  async function send(keyed: KeyedCall<Context>): Promise<JsonObject> {
    const { entry, context } = keyed;
    const { method, path, body } = entry;
    const [scope, caller] = await identify(context).catch((error: unknown) => {
      entry.outcome = 'NOT_SENT';
      throw error;
    });
    const key = toHash([scope ?? '', entry.key]);
    const names = { by: toHash([caller]), fingerprint: toHash([method, path, body]) };
    entry.keyId = key;
    entry.isMade = false;
    // An API that cannot tell the scopes apart would take equal keys of two scopes for one.
    if (scope !== undefined) entry.key = key;
    const name = key + names.by + names.fingerprint;
    const first = running.get(name);
    if (!first) {
      const ended = (): boolean => running.delete(name);
      const result = sendFirst(keyed, key, names).finally(ended);
      running.set(name, { entry, result });
      return result;
    }
    // Waits without a timeout, because the deadline of the first call is earlier.
    try {
      return await first.result;
    } finally {
      entry.settle(first.entry.outcome, first.entry.id);
    }
  }

  async function sendFirst(keyed: KeyedCall<Context>, key: string, names: Names) {
    const { entry } = keyed;
    const leaseMs = Math.ceil(entry.deadlineAt - performance.now()) + LEASE_MARGIN_MS;
    // Not `randomUUID`, whose text V8 keeps in pieces: a key in memory would take 900 bytes in place of 500.
    const owner = randomBytes(16).toString('base64url');
    /** True if an earlier call with the key was under way: `NOT_SENT` could be false from then on. */
    let hasWaited = false;
    for (;;) {
      const claim = { owner, ...names, leaseMs, onlyFreed: hasWaited };
      const found = await store.claim(key, claim).catch((cause: unknown) => {
        if (hasWaited) throw new RestError('keyUnsettled', entry, { cause });
        throw new RestError('keyRefused', entry, { cause });
      });
      if (found?.owner === owner) return sendAndRecord(keyed, key, claim);
      const isReused = found && found.fingerprint !== names.fingerprint;
      if (isReused && !hasWaited) throw new RestError('keyReused', entry);
      if (found?.state === 'applied' && !isReused)
        return repeat(keyed, found, found.by === names.by);
      // After a wait, the store has lost the key that the first call had.
      const isLost = !found || isReused;
      const isLate = performance.now() + PAUSE_MS > entry.deadlineAt;
      if (isLost || found.state === 'unknown' || isLate) throw new RestError('keyUnsettled', entry);
      hasWaited = true;
      await sleep(PAUSE_MS);
    }
  }

  /** Sends a call whose key is claimed, and records what the ledger says of it. */
  async function sendAndRecord(keyed: KeyedCall<Context>, key: string, claim: KeyClaim) {
    const { entry } = keyed;
    entry.isMade = true;
    try {
      return await keyed.send();
    } catch (error) {
      entry.endUnattempted(error);
      throw error;
    } finally {
      const { outcome, id } = entry;
      const recorded =
        outcome === 'NOT_SENT' || outcome === 'REJECTED'
          ? store.free(key, claim.owner, claim.leaseMs)
          : store.keep(key, claim.owner, outcome === 'APPLIED' ? 'applied' : 'unknown', id);
      // A failure of the store must not replace the result of a call that was made.
      await recorded.catch(() => {});
    }
  }

  /** Answers a repeat of a call that was applied with what a read of its own shows. */
  async function repeat(keyed: KeyedCall<Context>, { id }: KeyRecord, isOwn: boolean) {
    const { entry, read } = keyed;
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
