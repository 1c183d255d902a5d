import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Logger } from '../logger.js';
import { RedisAwayError, toScript, type Redis, type Script } from '../redis/redis.connection.js';
import { answerNotKeptRecord } from './call-record.js';
import type { IdempotencyStore } from './idempotency.store.js';

export interface RedisStoreOptions {
  /** Time that a key is held, from its claim on. */
  readonly ttlMs: number;
  /** Longest time of a call: a call that left no record by then is `lost`, with its gateway. */
  readonly leaseMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

const PREFIX = 'study-gateway:idempotency:';

/** Uses the time of Redis. The end of the lease stops repeats from waiting, and gives the key to no other call. */
const claimScript = toScript(`
local held = redis.call('HMGET', KEYS[1], 'fingerprint', 'record', 'leaseUntil')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if not held[1] then
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[2], 'leaseUntil', now + ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  return {'claimed'}
end
if held[1] ~= ARGV[1] then return {'reused'} end
if held[2] then return {'settled', held[2]} end
if not held[3] then return {'applied'} end
if now > tonumber(held[3]) then return {'lost'} end
return {'running'}
`);

/** Stores the record even when Redis has lost the claim. */
const keepScript = toScript(`
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner and owner ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[2], 'record', ARGV[3])
if not owner then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1
`);

/** Marks a success in a full Redis, which still deletes: a key without record and lease succeeded. */
const applyScript = toScript(`
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1], 'leaseUntil')
`);

const freeScript = toScript(`
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`);

const claimReplySchema = z.union([
  z.tuple([z.enum(['claimed', 'running', 'lost', 'reused', 'applied'])]),
  z.tuple([z.literal('settled'), z.string()]),
]);

/** Most ends that wait for a Redis that is away; beyond, the oldest is dropped, and its call counts as lost. */
const MAX_OVERDUE = 1_000;

/** Holds the keys of all gateways that use the same Redis, and outlives each of them. */
export function createRedisStore(redis: Redis, options: RedisStoreOptions): IdempotencyStore {
  const { leaseMs, logger } = options;
  const ttlMs = String(options.ttlMs);
  const overdue = new Map<string, () => Promise<void>>();

  /**
   * Records the end of a call in Redis, now or as soon as Redis is there again.
   *
   * @param whenFull records a part of the end, and needs no memory
   */
  async function settle(
    owner: string,
    script: Script,
    key: string,
    args: string[],
    whenFull?: Script,
  ): Promise<void> {
    try {
      await redis.run(script, key, args);
    } catch (error) {
      if (whenFull && isOutOfMemory(error)) return settle(owner, whenFull, key, [owner]);
      const cause = error instanceof Error ? error.message : undefined;
      logger.warn({ cause }, 'redis has not heard how a call with an idempotency key ended');
      if (!(error instanceof RedisAwayError)) return;
      overdue.set(owner, () => settle(owner, script, key, args, whenFull));
      const [oldest] = overdue.keys();
      if (overdue.size > MAX_OVERDUE && oldest !== undefined) overdue.delete(oldest);
    }
  }

  redis.onReady(() => {
    const settlements = [...overdue.values()];
    overdue.clear();
    for (const run of settlements) void run();
    void warnOfEviction(redis, logger);
  });

  return {
    async claim(id, fingerprint) {
      const key = PREFIX + id;
      const owner = randomUUID();
      const free = (): Promise<void> => settle(owner, freeScript, key, [owner]);
      const args = [fingerprint, owner, String(leaseMs), ttlMs];
      const reply = await redis.run(claimScript, key, args).catch((error: unknown) => {
        // Redis may hold the claim by now, and the call will not be made.
        if (error instanceof RedisAwayError && error.mayHaveRun) void free();
        throw error;
      });
      const [state, record] = claimReplySchema.parse(reply);
      if (state === 'settled') return { state, record };
      if (state === 'applied') return { state: 'settled', record: answerNotKeptRecord };
      if (state !== 'claimed') return { state };
      return {
        state: 'claimed',
        keep: (record, shortRecord) => {
          const whenFull = shortRecord === answerNotKeptRecord ? applyScript : undefined;
          return settle(owner, keepScript, key, [fingerprint, owner, record, ttlMs], whenFull);
        },
        free,
      };
    },
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('OOM ');
}

/** Warns of a Redis that evicts keys when full: eviction would break the promise of the keys in silence. */
async function warnOfEviction(redis: Redis, logger: RedisStoreOptions['logger']): Promise<void> {
  // Without permission for INFO the policy is not known.
  const memory = await redis.info('memory').catch(() => '');
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction';
  if (policy === 'noeviction') return;
  logger.warn(
    { policy },
    'redis may drop idempotency keys: its maxmemory-policy must be noeviction',
  );
}
