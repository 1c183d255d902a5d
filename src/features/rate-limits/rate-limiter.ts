import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Refusal } from '../../errors/refusal.js';
import type { Redis } from '../../redis/redis.connection.js';

/** Decision of a rate limiter. */
export interface RateVerdict {
  /** Headers of draft-ietf-httpapi-ratelimit-headers-03, the version that clients support. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` for a caller within its limit. */
  readonly refusal?: Refusal;
}

const WINDOW_MS = 60_000;
/** Maximum number of callers in memory; the least recently seen one is evicted first. */
const MAX_CALLERS = 100_000;
const PREFIX = 'study-gateway:rate:';

const spendScript = `
local left = redis.call('PTTL', KEYS[1])
local used = 0
if left > 0 then used = tonumber(redis.call('GET', KEYS[1])) else left = tonumber(ARGV[3]) end
local after = used + tonumber(ARGV[2])
if after > tonumber(ARGV[1]) then return {0, used, left} end
redis.call('SET', KEYS[1], after, 'PX', left)
return {1, after, left}
`;

const spendReply = z.tuple([z.number(), z.number(), z.number()]);

/** Counts for all gateways. */
export interface SharedCounts {
  readonly redis: Redis;
  /** Callers whose counts may be in Redis. Each gateway counts all other callers in its own memory. */
  readonly accepted: { get(callerId: string): true | undefined };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Creates a limiter, which counts requests or mutation fields of each caller in windows of a minute. The first count
 * starts a window.
 *
 * @param what name of the counted things, such as `mutation-fields`; limiters with different names count separately
 * @param shared without `shared`, or while Redis is away, each gateway counts in memory
 * @param onRefusal called for each refusal
 */
export function createRateLimiter(
  limit: number,
  what: string,
  shared: SharedCounts | undefined,
  onRefusal: () => void = () => {},
) {
  const windows = new LRUCache<string, { used: number; endsAt: number }>({ max: MAX_CALLERS });

  /** @param leftMs time until the window ends and the caller has the whole limit again */
  function toVerdict(isAllowed: boolean, used: number, leftMs: number): RateVerdict {
    const retryAfterSeconds = Math.ceil(leftMs / 1_000);
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, limit - used)),
      'ratelimit-reset': String(retryAfterSeconds),
    };
    if (isAllowed) return { headers };
    onRefusal();
    const message = `A caller may have ${limit} ${what.replace('-', ' ')} in a minute. Nothing was sent.`;
    const refusal = new Refusal('RATE_LIMITED', message, {
      retryAfterSeconds,
      status: 429,
      headers,
    });
    return { headers, refusal };
  }

  function spendInMemory(callerId: string, cost: number): RateVerdict {
    // A whole number, so that `endsAt - now` is exact and never rounds up to 61 s.
    const now = Math.floor(performance.now());
    const found = windows.get(callerId);
    const window = found && found.endsAt > now ? found : { used: 0, endsAt: now + WINDOW_MS };
    const isAllowed = window.used + cost <= limit;
    if (isAllowed) window.used += cost;
    windows.set(callerId, window);
    return toVerdict(isAllowed, window.used, window.endsAt - now);
  }

  async function spendInRedis(redis: Redis, callerId: string, cost: number): Promise<RateVerdict> {
    const key = `${PREFIX}${what}:${hash('sha256', callerId, 'base64url')}`;
    const args = [limit, cost, WINDOW_MS].map(String);
    const [verdict, used, leftMs] = spendReply.parse(await redis.run(spendScript, key, args));
    return toVerdict(verdict === 1, used, leftMs);
  }

  return {
    /**
     * Counts `cost` against the limit of a caller.
     *
     * @param cost counted completely, or not at all if the limit would be exceeded
     */
    async spend(callerId: string, cost: number): Promise<RateVerdict> {
      if (!shared?.accepted.get(callerId)) return spendInMemory(callerId, cost);
      try {
        return await spendInRedis(shared.redis, callerId, cost);
      } catch {
        // Falls back to this gateway's own count: better than no limit, and better than refusing the request.
        return spendInMemory(callerId, cost);
      }
    },
  };
}
