import type { FastifyRequest } from 'fastify';
import { OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { findRootFields } from '../../graphql/root-fields.js';
import type { OperationListener } from '../../graphql/operation-listener.js';
import type { Config } from '../../config/config.js';
import type { Redis } from '../../redis/redis.connection.js';
import type { Caller } from '../../auth/caller.js';
import type { Wrap } from '../../rest/operation.js';
import { createRateLimiter, toRateRefusal, type RateLimiter } from './rate-limiter.js';
import { addRequestRate, toRateLimitKey } from './request-rate.hook.js';

/** Maximum number of callers remembered; the least recently seen one is evicted first. */
const MAX_CALLERS = 100_000;

/** The slice of an operation's context that limits of rates read. */
export interface RateContext {
  /** Returns the id under which the requests of the caller are counted. */
  readonly toRateKey: () => Promise<string>;
}

/** @param redis store of the counts for all gateways; without `redis` each gateway counts in its own memory */
export function createRateLimits(
  { rateLimitRequests, rateLimitMutationFields }: Config['limits'],
  toCaller: (request: FastifyRequest) => Caller,
  redis: Redis | undefined,
  onRefusal: ((limit: string) => void) | undefined,
) {
  const hasLimits = rateLimitRequests > 0 || rateLimitMutationFields > 0;
  const shared =
    redis && hasLimits
      ? { redis, accepted: new LRUCache<string, true>({ max: MAX_CALLERS }) }
      : undefined;
  const toKey = (request: FastifyRequest): Promise<string> =>
    toRateLimitKey(request, () => toCaller(request).callerId());

  const limit = (max: number, what: string): RateLimiter | undefined =>
    max === 0 ? undefined : createRateLimiter(max, what, shared, () => onRefusal?.(what));
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
    shared &&
    ((next) => async (call, operation) => {
      // Read before the call, because an error after the call would hide the outcome of a write.
      const id = await operation.about.toRateKey();
      const answer = await next(call, operation);
      shared.accepted.set(id, true);
      return answer;
    });

  return {
    addRequests: requests && addRequestRate(requests, toKey),
    listener,
    toKey,
    remembered,
  };
}
