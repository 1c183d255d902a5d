import type { FastifyRequest } from 'fastify';
import { OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { OnCall } from 'rest-outcome';
import { findRootFields } from '../../graphql/root-fields.js';
import type { OperationListener } from '../../graphql/operation-listener.js';
import type { AppPart } from '../../http/app.js';
import type { Config } from '../../config/config.js';
import type { Redis } from '../../redis/redis.connection.js';
import type { Caller } from '../../auth/caller.js';
import { toNetwork } from './network.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';

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

  /** Returns the key under which a request is counted: its caller if known, otherwise the network of its client. */
  async function toKey(request: FastifyRequest): Promise<string> {
    try {
      return `caller:${await toCaller(request).callerId()}`;
    } catch {
      // Not reported here: an operation that needs the caller fails with the error.
      const { ip, socket } = request;
      // `ip` may be no IP address, because a proxy may forward a name or `unknown`.
      return `address:${toNetwork(ip) ?? toNetwork(socket.remoteAddress)}`;
    }
  }

  const limit = (max: number, what: string): RateLimiter | undefined =>
    max === 0 ? undefined : createRateLimiter(max, what, shared, () => onRefusal?.(what));
  const requests = limit(rateLimitRequests, 'requests');
  const mutationFields = limit(rateLimitMutationFields, 'mutation-fields');

  /** Refuses operations of a caller over its limit with 429, `RATE_LIMITED`, before reading their bodies. */
  const addRequests: AppPart | undefined =
    requests &&
    ((app) =>
      void app.addHook('onRequest', async (request, reply) => {
        const { method, routeOptions } = request;
        if (routeOptions.url !== '/graphql' || (method !== 'GET' && method !== 'POST')) return;
        const { headers, refusal } = await requests.spend(await toKey(request), 1);
        void reply.headers(headers);
        if (refusal) throw refusal;
      }));

  /** Limits the root fields of mutations, each of which is a REST call. Refuses a mutation that exceeds the limit. */
  const listener: OperationListener<RateContext> | undefined = mutationFields && {
    async didResolveOperation({ document, operation, contextValue }) {
      if (operation?.operation !== OperationTypeNode.MUTATION) return;
      const count = findRootFields(document, operation).size;
      if (count === 0) return;
      const { refusal } = await mutationFields.spend(await contextValue.toRateKey(), count);
      if (refusal) throw refusal;
    },
  };

  /**
   * Remembers the callers with at least one successful call to the Study API. Anybody can invent tokens, but calls with
   * an invented token do not succeed.
   */
  const rememberAccepted: OnCall<RateContext> | undefined =
    shared &&
    ((_, { toRateKey }) => {
      const key = toRateKey();
      return (error) => {
        if (error === undefined) void remember(key);
      };
    });

  async function remember(key: Promise<string>): Promise<void> {
    shared?.accepted.set(await key, true);
  }

  return { addRequests, listener, toKey, rememberAccepted };
}
