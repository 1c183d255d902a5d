import type { FastifyRequest } from 'fastify';
import { OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Wrap } from 'rest-outcome';
import { findRootFields } from '../../graphql/root-fields.js';
import type { OperationListener } from '../../graphql/operation-listener.js';
import type { Redis } from '../../redis/redis.connection.js';
import type { Caller } from '../../auth/caller.js';
import { createRateLimiter, toRateRefusal, type RateLimiter } from './rate-limiter.js';
import { addRequestRate, toRateLimitKey } from './request-rate.hook.js';

/** Maximum number of callers remembered; the least recently seen one is evicted first. */
const MAX_CALLERS = 100_000;

/** The slice of an operation's context that limits of rates read. */
export interface RateContext {
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

export function createRateLimits(
  { rateLimitRequests, rateLimitMutationFields }: RateLimitsOptions,
  { toCaller, redis, onRefusal }: Surroundings,
) {
  const hasLimits = rateLimitRequests > 0 || rateLimitMutationFields > 0;
  const accepted =
    redis && hasLimits ? new LRUCache<string, true>({ max: MAX_CALLERS }) : undefined;
  const toKey = (request: FastifyRequest): Promise<string> =>
    toRateLimitKey(request, () => toCaller(request).callerId());

  const limit = (max: number, what: string): RateLimiter | undefined => {
    if (max === 0) return undefined;
    const shared = redis &&
      accepted && { redis, isAccepted: (id: string) => accepted.get(id) === true };
    return createRateLimiter(max, what, shared, () => onRefusal?.(what));
  };
  const requests = limit(rateLimitRequests, 'requests');
  const mutationFields = limit(rateLimitMutationFields, 'mutation-fields');

  /** Limits the root fields of mutations, each of which is a REST call. Refuses a mutation that exceeds the limit. */
  const listener: OperationListener<RateContext> | undefined = mutationFields && {
    async didResolveOperation({ document, operation, contextValue }) {
      if (operation?.operation !== OperationTypeNode.MUTATION) return;
      const count = findRootFields(document, operation).size;
      if (count === 0) return;
      const verdict = await mutationFields.spend(await contextValue.toRateKey(), count);
      if (!verdict.isAllowed) throw toRateRefusal(verdict, 'mutation fields');
    },
  };

  /**
   * Remembers the callers with at least one successful call to the Study API. Anybody can invent tokens, but calls with
   * an invented token do not succeed.
   */
  const remembered: Wrap<RateContext> | undefined =
    accepted &&
    ((next) => async (call, operation) => {
      // Read before the call, because an error after the call would hide the outcome of a write.
      const id = await operation.about.toRateKey();
      const answer = await next(call, operation);
      accepted.set(id, true);
      return answer;
    });

  return {
    addRequests: requests && addRequestRate(requests, toKey),
    listener,
    toKey,
    remembered,
  };
}
