import { randomUUID } from 'node:crypto';
import { answerNotKeptRecord, StoreFullError, type KeyStore } from 'rest-outcome';

/** The connection to Redis, as far as the store needs it. */
export interface StoreRedis {
  /**
   * Runs a Lua script on one key, at most once.
   *
   * @throws Error with a boolean `mayHaveRun` when Redis is not connected, or does not reply in time; any other error
   *   when Redis refuses the script
   */
  run(script: string, key: string, args: readonly string[]): Promise<unknown>;
  /** Returns a section of `INFO`. Throws the errors of `run`. */
  info(section: string): Promise<string>;
  /** Calls `listener` whenever Redis becomes ready, and at once if Redis is ready now. */
  onReady(listener: () => void): void;
}

export interface RedisStoreOptions {
  /** Lifetime of a key, from its claim. */
  readonly ttlMs: number;
  /** First part of the keys in Redis: `my-service:`. */
  readonly prefix: string;
  readonly logger: { warn(fields: object, message: string): void };
}

/**
 * Claims a key, or returns its state. Uses the clock of Redis. When a lease expires, duplicate requests stop waiting,
 * but no other call gets the key, unless it claims the key over what it has seen. `ARGV[6]` is the caller. `ARGV[7]` is the owner of a key that the gateway
 * remembers: if Redis has lost the key, the key is lost, not new.
 */
const claimScript = `
local held = redis.call('HMGET', KEYS[1], 'fingerprint', 'record', 'leaseUntil', 'caller')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if held[1] then
  if held[1] ~= ARGV[1] then return {'reused'} end
  local caller = held[4] or ''
  if held[2] and held[2] ~= ARGV[5] then return {'settled', caller, held[2]} end
  if not held[2] and not held[3] then return {'applied', caller} end
  if not held[2] and now <= tonumber(held[3]) then return {'running'} end
  if not held[2] and ARGV[5] ~= '' then return {'lost', caller} end
elseif ARGV[7] and ARGV[5] ~= '' then
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[7], 'leaseUntil', 0, 'caller', ARGV[6])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  return {'forgotten', ARGV[6]}
end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[2], 'leaseUntil', now + ARGV[3], 'caller', ARGV[6])
redis.call('HDEL', KEYS[1], 'record')
if not held[1] then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return {'claimed'}
`;

/** Stores the record of a call, even when Redis has lost the claim, but not when another call owns the key. */
const keepScript = `
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner and owner ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[2], 'record', ARGV[3], 'caller', ARGV[5])
if not owner then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1
`;

/**
 * Marks a success in a Redis that is out of memory, which still allows deletions: a key without record and lease means
 * that its call succeeded.
 */
const applyScript = `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1], 'leaseUntil')
`;

/** Deletes a key, but not when another call owns the key. */
const freeScript = `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`;

/**
 * Maximum number of results that wait until Redis can be reached again. When there are more, the oldest is dropped, and
 * its call will count as `lost`.
 */
const MAX_OVERDUE = 1_000;

/** Maximum number of keys that a gateway remembers, the newest ones: about 8 MB. */
const MAX_KNOWN = 20_000;

/** In place of a record over which a key is claimed: no record. */
const NO_RECORD = 'none';

/** A key of this gateway in Redis. `expiresAt` is not later than in Redis, by `performance.now()`. */
interface Known {
  readonly fingerprint: string;
  readonly owner: string;
  readonly callerId: string;
  readonly expiresAt: number;
}

/** Creates a store in Redis. All gateways with the same Redis share the keys, which outlive each gateway. */
export function createRedisStore(redis: StoreRedis, options: RedisStoreOptions): KeyStore {
  const { prefix, logger } = options;
  const ttlMs = String(options.ttlMs);
  const overdue = new Map<string, () => Promise<void>>();
  /** Keys that Redis must know, by name, the oldest first. A Redis that was emptied or failed over may have lost them. */
  const known = new Map<string, Known>();

  function remember(key: string, of: Known): void {
    known.set(key, of);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  }

  /** Puts what Redis has lost back as `lost`, the newest first, so that no gateway makes these writes again. */
  async function restore(): Promise<void> {
    const now = performance.now();
    const held = [...known].filter(([, { expiresAt }]) => expiresAt > now);
    let keys = 0;
    for (const [key, { fingerprint, owner, callerId, expiresAt }] of held.toReversed()) {
      const leftMs = String(Math.ceil(expiresAt - now));
      const args = [fingerprint, '', '0', leftMs, NO_RECORD, callerId, owner];
      const reply = await redis.run(claimScript, key, args).catch(() => undefined);
      if (!Array.isArray(reply)) break;
      if (reply[0] === 'forgotten') keys += 1;
    }
    if (keys > 0) warnOfLoss(keys, logger);
  }

  /**
   * Runs the script that stores the result of a call or frees its key, now or as soon as Redis can be reached again.
   *
   * @param whenFull script to run instead when Redis is out of memory; must need no memory
   */
  async function settle(
    owner: string,
    script: string,
    key: string,
    args: string[],
    whenFull?: string,
  ): Promise<void> {
    try {
      await redis.run(script, key, args);
    } catch (error) {
      if (whenFull && isOutOfMemory(error)) return settle(owner, whenFull, key, [owner]);
      const cause = error instanceof Error ? error.message : undefined;
      logger.warn({ cause }, 'the result of a call with an idempotency key is not in redis');
      if (toMayHaveRun(error) === undefined) return;
      overdue.set(owner, () => settle(owner, script, key, args, whenFull));
      const [oldest] = overdue.keys();
      if (overdue.size > MAX_OVERDUE && oldest !== undefined) overdue.delete(oldest);
    }
  }

  redis.onReady(() => {
    const settlements = [...overdue.values()];
    overdue.clear();
    for (const run of settlements) void run();
    void restore();
    void warnOfEviction(redis, logger);
  });

  return {
    async claim(id, fingerprint, callerId, leaseMs, over) {
      const key = `${prefix}idempotency:${id}`;
      const owner = randomUUID();
      const free = async (): Promise<void> => {
        known.delete(key);
        await settle(owner, freeScript, key, [owner]);
      };
      const now = performance.now();
      const args = [fingerprint, owner, String(leaseMs), ttlMs, over ?? NO_RECORD, callerId];
      const first = known.get(key);
      if (first && first.expiresAt > now) args.splice(5, 1, first.callerId, first.owner);
      const reply = await redis.run(claimScript, key, args).catch((error: unknown) => {
        // Redis may have stored the claim. The call will not be made, so the key must be freed. A key that was claimed over
        // an earlier call must not: without its record, that call is lost when the lease ends.
        if (over === undefined && toMayHaveRun(error) === true) void free();
        // Redis does not say which key expires first.
        if (isOutOfMemory(error)) throw new StoreFullError(error.message);
        throw error;
      });
      const [state, caller, record]: readonly unknown[] = Array.isArray(reply) ? reply : [];
      const claimant = { callerId: typeof caller === 'string' ? caller : undefined };
      if (state === 'settled' && typeof record === 'string') return { state, record, ...claimant };
      if (state === 'applied')
        return { state: 'settled', record: answerNotKeptRecord, ...claimant };
      if (state === 'forgotten') {
        warnOfLoss(1, logger);
        return { state: 'lost', ...claimant };
      }
      if (state === 'lost') return { state, ...claimant };
      if (state === 'running' || state === 'reused') return { state };
      if (state !== 'claimed') throw new Error('redis gave an unknown reply');
      if (over === undefined)
        remember(key, { fingerprint, owner, callerId, expiresAt: now + options.ttlMs });
      return {
        state: 'claimed',
        keep: (record, shortRecord) => {
          const whenFull = shortRecord === answerNotKeptRecord ? applyScript : undefined;
          return settle(
            owner,
            keepScript,
            key,
            [fingerprint, owner, record, ttlMs, callerId],
            whenFull,
          );
        },
        free,
      };
    },
  };
}

/** Returns `undefined` for an error of a Redis that was reached. */
function toMayHaveRun(error: unknown): unknown {
  return error instanceof Error && 'mayHaveRun' in error ? error.mayHaveRun : undefined;
}

function isOutOfMemory(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('OOM ');
}

function warnOfLoss(keys: number, logger: RedisStoreOptions['logger']): void {
  logger.warn({ keys }, 'redis has lost idempotency keys: repeats of their writes are UNKNOWN');
}

/** Logs a warning if Redis evicts keys when out of memory: an evicted key no longer stops duplicate requests. */
async function warnOfEviction(
  redis: StoreRedis,
  logger: RedisStoreOptions['logger'],
): Promise<void> {
  // Without permission for INFO the policy is unknown, and nothing is logged.
  const memory = await redis.info('memory').catch(() => '');
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction';
  if (policy === 'noeviction') return;
  logger.warn(
    { policy },
    'redis may drop idempotency keys: its maxmemory-policy must be noeviction',
  );
}
