import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toRateHeaders, toRateMessage } from './mutation-rate.plugin.js';
import { toNetwork } from './client-network.js';
import { toErrorBody } from '../../http/error-body.js';
import type { RateLimiter } from './rate-limiter.js';

/** Key under which a request is counted: the caller if known, otherwise the network of the address. */
export async function toRateLimitKey(
  request: FastifyRequest,
  readCallerId: () => string | Promise<string>,
): Promise<string> {
  try {
    return `caller:${await readCallerId()}`;
  } catch {
    // The resolver refuses the request later; until then the network is counted.
    const { ip, socket } = request;
    // A proxy may send a name, or `unknown`, instead of an address.
    return `address:${toNetwork(ip) ?? toNetwork(socket.remoteAddress)}`;
  }
}

/** Refuses the requests of a caller over its limit with 429, before their bodies are read. */
export function addRateLimits(
  app: FastifyInstance,
  limiter: RateLimiter,
  toId: (request: FastifyRequest) => Promise<string>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const { method } = request;
    if (request.routeOptions.url !== '/graphql' || (method !== 'GET' && method !== 'POST')) return;
    const verdict = await limiter.spend(await toId(request), 1);
    void reply.headers(toRateHeaders(verdict));
    if (verdict.isAllowed) return;
    const { resetSeconds: retryAfterSeconds } = verdict;
    const message = toRateMessage(verdict, 'requests');
    const body = toErrorBody(message, 'RATE_LIMITED', request.id, {
      retryable: true,
      retryAfterSeconds,
    });
    void reply.code(429).header('retry-after', String(retryAfterSeconds)).send(body);
  });
}
