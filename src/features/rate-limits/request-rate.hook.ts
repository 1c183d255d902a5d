import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toRateHeaders, toRateMessage } from './mutation-rate.plugin.js';
import { toNetwork } from './client-network.js';
import { toErrorBody } from '../../http/error-body.js';
import type { RateLimiter } from './rate-limiter.js';

/** Who a request is counted for: the caller where it is known, else the network of the address. */
export async function toRateLimitKey(
  request: FastifyRequest,
  readCallerId: () => string | Promise<string>,
): Promise<string> {
  try {
    return `caller:${await readCallerId()}`;
  } catch {
    // It is refused for that, but not here.
    const { ip, socket } = request;
    // A proxy may write a name, or that it knows none.
    return `address:${toNetwork(ip) ?? toNetwork(socket.remoteAddress)}`;
  }
}

/** Refuses the operations of who has sent enough in this minute, before their bodies are read: 429, `RATE_LIMITED`. */
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
