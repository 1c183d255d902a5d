import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { RateVerdict } from './rate-verdict.js';
import { toScript, type Redis } from '../../redis/redis.connection.js';

/** Counts what each caller does, in windows of a minute that begin with the caller's first act. */
export interface RateLimiter {
  /** @param cost spent whole, or, where the window has too little left, not at all */
  spend(callerId: string, cost: number): Promise<RateVerdict>;
}

const WINDOW_MS = 60_000;
/** The caller with the oldest call is forgotten first. */
const MAX_CALLERS = 100_000;
const PREFIX = 'study-gateway:rate:';

const spendScript = toScript(`
local left = redis.call('PTTL', KEYS[1])
local used = 0
if left > 0 then used = tonumber(redis.call('GET', KEYS[1])) else left = tonumber(ARGV[3]) end
local after = used + tonumber(ARGV[2])
if after > tonumber(ARGV[1]) then return {0, used, left} end
redis.call('SET', KEYS[1], after, 'PX', left)
return {1, after, left}
`);

const spendReply = z.tuple([z.number(), z.number(), z.number()]);

export interface SharedCounts {
  readonly redis: Redis;
  /** Callers that may take room in Redis. Each gateway counts every other caller for itself. */
  readonly accepted: { has(callerId: string): boolean };
}

/**
 * @param what name of what is counted: limiters with different names do not share their counts
 * @param shared counts for all gateways; without `shared`, and while Redis is away, each gateway counts for itself
 * @param onRefusal called for each refusal
 */
export function createRateLimiter(
  limit: number,
  what: string,
  shared: SharedCounts | undefined,
  onRefusal: () => void = () => {},
): RateLimiter {
  const memory = createMemoryLimiter(limit);
  const limiter = shared ? createSharedLimiter(limit, what, shared, memory) : memory;
  return {
    async spend(callerId, cost) {
      const verdict = await limiter.spend(callerId, cost);
      if (!verdict.isAllowed) onRefusal();
      return verdict;
    },
  };
}

/** @param memory counts callers that were never accepted, and all callers while Redis is away */
function createSharedLimiter(
  limit: number,
  what: string,
  { redis, accepted }: SharedCounts,
  memory: RateLimiter,
): RateLimiter {
  return {
    async spend(callerId, cost) {
      if (!accepted.has(callerId)) return memory.spend(callerId, cost);
      const key = `${PREFIX}${what}:${hash('sha256', callerId, 'base64url')}`;
      try {
        const args = [limit, cost, WINDOW_MS].map(String);
        const [isAllowed, used, leftMs] = spendReply.parse(await redis.run(spendScript, key, args));
        return toVerdict(isAllowed === 1, limit, used, leftMs);
      } catch {
        // The connection has logged the error. A limit of one gateway is better than none, or than no answer.
        return memory.spend(callerId, cost);
      }
    },
  };
}

function createMemoryLimiter(limit: number): RateLimiter {
  const windows = new LRUCache<string, { used: number; endsAt: number }>({ max: MAX_CALLERS });
  return {
    async spend(callerId, cost) {
      const now = performance.now();
      const found = windows.get(callerId);
      const window = found && found.endsAt > now ? found : { used: 0, endsAt: now + WINDOW_MS };
      const isAllowed = window.used + cost <= limit;
      if (isAllowed) window.used += cost;
      windows.set(callerId, window);
      return toVerdict(isAllowed, limit, window.used, window.endsAt - now);
    },
  };
}

function toVerdict(isAllowed: boolean, limit: number, used: number, leftMs: number): RateVerdict {
  const remaining = Math.max(0, limit - used);
  return { isAllowed, limit, remaining, resetSeconds: Math.ceil(leftMs / 1_000) };
}
