import type { FastifyRequest } from 'fastify';
import type { AppPart } from '../../http/app.js';
import { toErrorBody } from '../../http/error-body.js';
import { toNetwork } from './client-network.js';
import type { RateLimiter } from './rate-limiter.js';
import { toRateHeaders, toRateMessage } from './rate-verdict.js';

/** The key under which a request is counted: its caller where the caller is known, else the network of its address. */
export async function toRateLimitKey(
  request: FastifyRequest,
  readCallerId: () => string | Promise<string>,
): Promise<string> {
  try {
    return `caller:${await readCallerId()}`;
  } catch {
    // Whoever needs the caller refuses the request for that.
    const { ip, socket } = request;
    // A proxy may write a name, or that it knows none.
    return `address:${toNetwork(ip) ?? toNetwork(socket.remoteAddress)}`;
  }
}

/** Refuses the operations of a caller over its limit with 429, `RATE_LIMITED`, before their bodies are read. */
export function addRequestRate(
  limiter: RateLimiter,
  toKey: (request: FastifyRequest) => Promise<string>,
): AppPart {
  return (app) =>
    void app.addHook('onRequest', async (request, reply) => {
      const { method } = request;
      if (request.routeOptions.url !== '/graphql' || (method !== 'GET' && method !== 'POST'))
        return;
      const verdict = await limiter.spend(await toKey(request), 1);
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
