import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Redis } from '../redis/redis.connection.js';
import {
  RestKeyRefusedError,
  RestKeyReusedError,
  RestKeyUnsettledError,
} from '../rest/idempotency-errors.js';
import type { Idempotency, JsonObject, RestCall } from '../rest/rest-call.js';
import type { RestClient } from '../rest/rest-client.js';
import { readRecord, toAnswerRecord, toErrorRecord, type CallRecord } from './call-record.js';
import type { Claimed, Found, IdempotencyStore } from './idempotency.store.js';
import type { KeyResult } from './key-result.js';
import { createMemoryStore } from './memory.store.js';
import { createRedisStore } from './redis.store.js';

export interface IdempotencyOptions {
  /** Deadline of a call, and so the maximum time that a duplicate request waits for the first call. */
  readonly studyApiTimeoutMs: number;
  /** With `service`, where all callers share one token, the Study API gets a hash in place of each key. */
  readonly authMode: 'forward' | 'service';
  readonly idempotencyTtlHours: number;
  /** Maximum number of keys in memory. Has no effect with Redis. */
  readonly idempotencyMaxKeys: number;
  /** Maximum total size of whole records in memory. Has no effect with Redis. */
  readonly idempotencyMaxBytes: number;
  readonly logger: Logger;
}

const results: Readonly<Record<(Claimed | Found)['state'], KeyResult>> = {
  claimed: 'made',
  settled: 'repeated',
  reused: 'reused',
  lost: 'unsettled',
  running: 'unsettled',
};

/** Time that a call has after its deadline to store its result in Redis. */
const LEASE_MARGIN_MS = 2_000;
/** First interval of polling for the result of a call at another gateway; doubles up to `LONGEST_PAUSE_MS`. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * Wraps a client so that a write with an idempotency key is sent at most once: duplicate requests get the result of the
 * first call. docs/idempotency.md lists the guarantees. Calls without a key pass through.
 *
 * @param redis store of the keys for all gateways; without `redis` each gateway stores its own keys in memory
 * @param onKey called once for each call with a key
 */
export function withIdempotency(
  rest: RestClient,
  options: IdempotencyOptions,
  redis: Redis | undefined,
  onKey?: (result: KeyResult) => void,
): RestClient {
  const { studyApiTimeoutMs: deadlineMs, authMode } = options;
  const store = createStore(options, redis);
  /** Calls with a key that this process makes or waits for, by key and fingerprint. */
  const running = new Map<string, Promise<JsonObject>>();

  function send(call: RestCall): Promise<JsonObject> {
    const { idempotency } = call;
    if (!idempotency) return rest.send(call);
    const id = toId(idempotency);
    const fingerprint = toHash([call.method, call.path, call.body]);
    // Calls with other fingerprints go to the store, which knows the first call even if this process does not.
    const place = id + fingerprint;
    // Waits without a timeout: the deadline of the first call is earlier than that of the duplicate.
    const first = running.get(place);
    if (first) {
      onKey?.('joined');
      return first;
    }
    // With `service` all callers share one token: an API that scopes keys by token would mix up their studies.
    const key = authMode === 'service' ? id : idempotency.key;
    const keyed = { ...call, idempotency: { ...idempotency, key } };
    const result = sendOnce(keyed, id, fingerprint, idempotency.callerId).finally(() =>
      running.delete(place),
    );
    running.set(place, result);
    return result;
  }

  async function sendOnce(
    call: RestCall,
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
        throw hasWaited ? new RestKeyUnsettledError(call) : new RestKeyRefusedError(call, error);
      });
      const isLate = performance.now() + pauseMs > deadlineAt;
      if (found.state !== 'running' || isLate) onKey?.(results[found.state]);
      if (found.state === 'claimed') return make({ ...call, deadlineAt }, found);
      if (found.state !== 'running') return toResult(call, found);
      if (isLate) throw new RestKeyUnsettledError(call);
      hasWaited = true;
      await sleep(pauseMs);
    }
  }

  async function make(call: RestCall, claimed: Claimed): Promise<JsonObject> {
    const settle = async (record: CallRecord | undefined): Promise<void> =>
      record ? claimed.keep(record.whole, record.short) : claimed.free();
    const answer = await rest.send(call).catch(async (error: unknown) => {
      await settle(toErrorRecord(error));
      throw error;
    });
    await settle(toAnswerRecord(answer));
    return answer;
  }

  return {
    send,
    async close() {
      await rest.close();
      await Promise.allSettled(running.values());
    },
    get circuit() {
      return rest.circuit;
    },
    get usage() {
      return rest.usage;
    },
  };
}

function createStore(options: IdempotencyOptions, redis: Redis | undefined): IdempotencyStore {
  const { idempotencyMaxKeys: maxKeys, idempotencyMaxBytes: maxBytes, logger } = options;
  const ttlMs = Math.round(options.idempotencyTtlHours * 3_600_000);
  if (!redis) return createMemoryStore({ ttlMs, maxKeys, maxBytes });
  const leaseMs = options.studyApiTimeoutMs + LEASE_MARGIN_MS;
  return createRedisStore(redis, { ttlMs, leaseMs, logger });
}

function toResult(call: RestCall, found: Exclude<Found, { state: 'running' }>): JsonObject {
  if (found.state === 'reused') throw new RestKeyReusedError(call);
  if (found.state === 'lost') throw new RestKeyUnsettledError(call);
  return readRecord(call, found.record);
}

/** Returns a hash that identifies a key in the store, and reveals neither the caller nor the key. */
function toId({ callerId, operation, key }: Idempotency): string {
  return toHash([callerId, operation, key]);
}

function toHash(parts: readonly (string | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
