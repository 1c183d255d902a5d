import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { OperationListener } from '../../graphql/operation-listener.js';
import type { AppPart } from '../../http/app.js';
import type { Redis } from '../../redis/redis.connection.js';
import type { Caller } from '../../auth/caller.js';
import type { Wrap } from '../../rest/operation.js';
import { mutationRateListener, type MutationRateContext } from './mutation-rate.listener.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';
import { addRequestRate, toRateLimitKey } from './request-rate.hook.js';

/** Maximum number of callers remembered; the least recently seen one is evicted first. */
const MAX_CALLERS = 100_000;

/**
 * Remembers the callers with at least one successful call to the Study API. Anybody can invent tokens, but calls with
 * an invented token do not succeed.
 */
class AcceptedCallers {
  readonly #ids = new LRUCache<string, true>({ max: MAX_CALLERS });

  has(id: string): boolean {
    return this.#ids.get(id) !== undefined;
  }

  /** Remembers the caller of each call that succeeds. */
  readonly remembered: Wrap<RateContext> = (next) => async (call, operation) => {
    // Read before the call, because an error after the call would hide the outcome of a write.
    const id = await operation.about.toRateKey();
    const answer = await next(call, operation);
    this.#ids.set(id, true);
    return answer;
  };
}

/** The slice of an operation's context that limits of rates read. */
export interface RateContext extends MutationRateContext {
  /** Returns the id under which the requests of the caller are counted. */
  readonly toRateKey: () => Promise<string>;
}

export interface RateLimitsOptions {
  /** Maximum number of requests per caller and minute; 0 sets no limit. */
  readonly rateLimitRequests: number;
  /** Maximum number of root fields of mutations per caller and minute; 0 sets no limit. */
  readonly rateLimitMutationFields: number;
}

interface Surroundings {
  readonly toCaller: (request: FastifyRequest) => Caller;
  /** Store of the counts for all gateways; without `redis` each gateway counts in its own memory. */
  readonly redis: Redis | undefined;
  readonly onRefusal: ((limit: string) => void) | undefined;
}

export interface RateLimits {
  /** Adds the request limit to the app; `undefined` when requests are not limited. */
  readonly addRequests: AppPart | undefined;
  /** `undefined` where mutation fields are not limited. */
  readonly listener: OperationListener<MutationRateContext> | undefined;
  /** Returns an operation's slice of the context. */
  readonly toContext: (request: FastifyRequest) => RateContext;
  /** Remembers callers whose calls succeed; `undefined` when Redis is not used. */
  readonly remembered: Wrap<RateContext> | undefined;
}

export function createRateLimits(
  { rateLimitRequests, rateLimitMutationFields }: RateLimitsOptions,
  { toCaller, redis, onRefusal }: Surroundings,
): RateLimits {
  const hasLimits = rateLimitRequests > 0 || rateLimitMutationFields > 0;
  const accepted = redis && hasLimits ? new AcceptedCallers() : undefined;
  const toKey = (request: FastifyRequest): Promise<string> =>
    toRateLimitKey(request, () => toCaller(request).callerId());

  const limit = (max: number, what: string): RateLimiter | undefined => {
    if (max === 0) return undefined;
    const shared = redis && accepted && { redis, accepted };
    return createRateLimiter(max, what, shared, () => onRefusal?.(what));
  };
  const requests = limit(rateLimitRequests, 'requests');
  const mutationFields = limit(rateLimitMutationFields, 'mutation-fields');

  return {
    addRequests: requests && addRequestRate(requests, toKey),
    listener: mutationFields && mutationRateListener,
    toContext: (request) => ({
      toRateKey: () => toKey(request),
      spendMutationFields:
        mutationFields &&
        (async (count: number) => mutationFields.spend(await toKey(request), count)),
    }),
    remembered: accepted?.remembered,
  };
}
