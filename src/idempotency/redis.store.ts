import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Logger } from '../logger.js';
import { RedisAwayError, toScript, type Redis, type Script } from '../redis/redis.connection.js';
import { answerNotKeptRecord } from './call-record.js';
import type { IdempotencyStore } from './idempotency.store.js';

export interface RedisStoreOptions {
  /** How long a key is held, from when it is claimed. */
  readonly ttlMs: number;
  /** How long a call may take: when it has left nothing by then, its gateway is taken for gone. */
  readonly leaseMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

const PREFIX = 'study-gateway:idempotency:';

/** Time is Redis's own. The lease only says when to stop waiting: nobody else gets the key when it ends. */
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

/** A Redis that has lost the claim is told of the call all the same. */
const keepScript = toScript(`
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner and owner ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[2], 'record', ARGV[3])
if not owner then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1
`);

/** A full Redis stores nothing more, but still deletes: a key without record and lease is that of a success. */
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

/** Calls whose end is still to be told to a Redis that is away; the oldest is forgotten, and ends as lost. */
const MAX_OVERDUE = 1_000;

/** Holds the keys of every gateway that uses the same Redis, whether they live or not. */
export function createRedisStore(redis: Redis, options: RedisStoreOptions): IdempotencyStore {
  const { leaseMs, logger } = options;
  const ttlMs = String(options.ttlMs);
  const overdue = new Map<string, () => Promise<void>>();

  /**
   * Tells Redis how a call has ended, now or as soon as it is there.
   *
   * @param whenFull says a part of it, and needs no memory
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
        // It may hold the key for us now, and the call is not going to be made.
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

/** A Redis that throws keys away when it is full breaks what they promise, and says so to nobody. */
async function warnOfEviction(redis: Redis, logger: RedisStoreOptions['logger']): Promise<void> {
  // Where INFO is not allowed, nothing is known.
  const memory = await redis.info('memory').catch(() => '');
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction';
  if (policy === 'noeviction') return;
  logger.warn(
    { policy },
    'redis may drop idempotency keys: its maxmemory-policy must be noeviction',
  );
}
