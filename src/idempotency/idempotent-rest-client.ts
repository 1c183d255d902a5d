import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.js';
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
  /** Deadline of a call, and so the longest time that a repeat waits for the first call. */
  readonly studyApiTimeoutMs: number;
  /** With `service` all callers share one token, and the Study API is sent a hash in place of each key. */
  readonly authMode: 'forward' | 'service';
  readonly idempotencyTtlHours: number;
  /** Limit without Redis. */
  readonly idempotencyMaxKeys: number;
  /** Limit without Redis. */
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

/** Time that an ended call may need to record its end in Redis. */
const LEASE_MARGIN_MS = 2_000;
/** Pause between two looks whether a call at another gateway has ended; later pauses are longer. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * Wraps the client, and makes a write with an idempotency key once: a repeat gets the result of the first call.
 * docs/idempotency.md says what is promised. Calls without a key pass through.
 *
 * @param redis holds the keys for all gateways; without `redis` each gateway holds its own
 * @param onKey called with the result of each key that came with a call
 */
export function withIdempotency(
  rest: RestClient,
  options: IdempotencyOptions,
  redis: Redis | undefined,
  onKey?: (result: KeyResult) => void,
): RestClient {
  const { studyApiTimeoutMs: deadlineMs, authMode } = options;
  const store = createStore(options, redis);
  /** The keyed calls that this process makes or waits for, by key and fingerprint. */
  const running = new Map<string, Promise<JsonObject>>();

  function send(call: RestCall): Promise<JsonObject> {
    const { idempotency } = call;
    if (!idempotency) return rest.send(call);
    const id = toId(idempotency);
    const fingerprint = toHash([call.method, call.path, call.body]);
    // With another fingerprint the store judges the key: this process may not have seen the first call.
    const place = id + fingerprint;
    // The first call ends by its deadline, which is before the deadline of a repeat.
    const first = running.get(place);
    if (first) {
      onKey?.('joined');
      return first;
    }
    // All callers share one token: an API that tells keys apart by token would give one caller another's study.
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
        // `NOT_SENT` would be untrue of a first call that was seen under way.
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

/** Id of a key, from which neither the caller nor the key can be read. */
function toId({ callerId, operation, key }: Idempotency): string {
  return toHash([callerId, operation, key]);
}

function toHash(parts: readonly (string | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
