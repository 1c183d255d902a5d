import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RestError } from '../rest/errors.js';
import type { Wrap } from '../rest/operation.js';
import type { Idempotency, JsonObject, RestCall } from '../rest/rest-call.js';
import { readRecord, toAnswerRecord, toErrorRecord, type CallRecord } from './call-record.js';
import type { Claimed, Found, IdempotencyStore } from './idempotency.store.js';
import { createMemoryStore, type MemoryStoreOptions } from './memory.store.js';
import { createRedisStore, type RedisStoreOptions, type StoreRedis } from './redis.store.js';

/**
 * Result of a call with an idempotency key:
 * - `made`: the key was new, and the call was made.
 * - `repeated`: the first call with the key had ended, and its stored result was returned.
 * - `joined`: the first call was under way in this process, and its result was shared.
 * - `reused`: refused, because the key had been used with other arguments.
 * - `unsettled`: failed, because the result of the first call is not known.
 * - `refused`: refused, because the store could not be reached or was full.
 */
export const keyResults = ['made', 'repeated', 'joined', 'reused', 'unsettled', 'refused'] as const;

export type KeyResult = (typeof keyResults)[number];

export interface IdempotencyOptions
  extends Omit<MemoryStoreOptions, 'ttlMs'>, Pick<RedisStoreOptions, 'prefix' | 'logger'> {
  /** Deadline of a call, and so the maximum time that a duplicate request waits for the first call. */
  readonly deadlineMs: number;
  /** True if the API cannot tell callers apart: it then gets a hash in place of each key. */
  readonly isOneCaller: boolean;
  readonly ttlHours: number;
}

const results: Readonly<Record<(Claimed | Found)['state'], KeyResult>> = {
  claimed: 'made',
  settled: 'repeated',
  reused: 'reused',
  lost: 'unsettled',
  running: 'unsettled',
};

/** The slice of an operation's context that idempotency keys read. */
interface KeyScope {
  readonly caller: {
    /** Returns the id of the caller, the scope of its keys. Fails when the caller cannot be authenticated. */
    callerId(): string | Promise<string>;
  };
}

/** Sends a call of one operation. */
type Next = (call: RestCall) => Promise<JsonObject>;

/** Time that a call has after its deadline to store its result in Redis. */
const LEASE_MARGIN_MS = 2_000;
/** First interval of polling for the result of a call at another gateway; doubles up to `LONGEST_PAUSE_MS`. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

export interface IdempotencyKeys {
  /**
   * Sends a write with an idempotency key at most once: duplicate requests get the result of the first call.
   * docs/idempotency.md lists the guarantees. Calls without a key pass through.
   */
  readonly idempotent: Wrap<KeyScope>;
  /** Waits for the calls with a key that are under way. Close the client first. */
  close(): Promise<void>;
}

/**
 * @param redis store of the keys for all gateways; without `redis` each gateway stores its own keys in memory
 * @param onKey called once for each call with a key
 */
export function createIdempotencyKeys(
  options: IdempotencyOptions,
  redis: StoreRedis | undefined,
  onKey?: (result: KeyResult) => void,
): IdempotencyKeys {
  const { deadlineMs, isOneCaller } = options;
  const store = createStore(options, redis);
  /** Calls with a key that this process makes or waits for, by key and fingerprint. */
  const running = new Map<string, Promise<JsonObject>>();

  async function send(
    idempotency: Idempotency,
    caller: KeyScope['caller'],
    call: RestCall,
    next: Next,
  ): Promise<JsonObject> {
    const callerId = await caller.callerId();
    const id = toHash([callerId, idempotency.operation, idempotency.key]);
    const fingerprint = toHash([call.method, call.path, call.body]);
    // Calls with other fingerprints go to the store, which knows the first call even if this process does not.
    const place = id + fingerprint;
    // Waits without a timeout: the deadline of the first call is earlier than that of the duplicate.
    const first = running.get(place);
    if (first) {
      onKey?.('joined');
      return first;
    }
    // An API that scopes keys by caller would mix up what our callers create.
    const key = isOneCaller ? id : idempotency.key;
    const keyed = { ...call, idempotency: { ...idempotency, key } };
    const result = sendOnce(keyed, next, id, fingerprint, callerId).finally(() =>
      running.delete(place),
    );
    running.set(place, result);
    return result;
  }

  async function sendOnce(
    call: RestCall,
    next: Next,
    id: string,
    fingerprint: string,
    callerId: string,
  ): Promise<JsonObject> {
    const deadlineAt = performance.now() + deadlineMs;
    let hasWaited = false;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const found = await store.claim(id, fingerprint, callerId).catch((error: unknown) => {
        // `NOT_SENT` could be false if the first call has been seen under way.
        onKey?.(hasWaited ? 'unsettled' : 'refused');
        throw new RestError(hasWaited ? 'keyUnsettled' : 'keyRefused', call, { cause: error });
      });
      const isLate = performance.now() + pauseMs > deadlineAt;
      if (found.state !== 'running' || isLate) onKey?.(results[found.state]);
      if (found.state === 'claimed') return make({ ...call, deadlineAt }, next, found);
      if (found.state !== 'running') return toResult(call, found);
      if (isLate) throw new RestError('keyUnsettled', call);
      hasWaited = true;
      await sleep(pauseMs);
    }
  }

  async function make(call: RestCall, next: Next, claimed: Claimed): Promise<JsonObject> {
    const settle = async (record: CallRecord | undefined): Promise<void> =>
      record ? claimed.keep(record.whole, record.short) : claimed.free();
    const answer = await next(call).catch(async (error: unknown) => {
      await settle(toErrorRecord(error));
      throw error;
    });
    await settle(toAnswerRecord(answer));
    return answer;
  }

  return {
    idempotent: (next) => (call, operation) =>
      call.idempotency
        ? send(call.idempotency, operation.about.caller, call, (keyed) => next(keyed, operation))
        : next(call, operation),
    close: async () => void (await Promise.allSettled(running.values())),
  };
}

function createStore(options: IdempotencyOptions, redis: StoreRedis | undefined): IdempotencyStore {
  const { maxKeys, maxBytes, prefix, logger } = options;
  const ttlMs = Math.round(options.ttlHours * 3_600_000);
  if (!redis) return createMemoryStore({ ttlMs, maxKeys, maxBytes });
  const leaseMs = options.deadlineMs + LEASE_MARGIN_MS;
  return createRedisStore(redis, { ttlMs, leaseMs, prefix, logger });
}

function toResult(call: RestCall, found: Exclude<Found, { state: 'running' }>): JsonObject {
  if (found.state === 'reused') throw new RestError('keyReused', call);
  if (found.state === 'lost') throw new RestError('keyUnsettled', call);
  return readRecord(call, found.record);
}

/** Returns a hash that reveals no part: of caller, operation and key, it identifies a key in the store. */
function toHash(parts: readonly (string | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
