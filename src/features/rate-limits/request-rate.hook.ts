import type { FastifyRequest } from 'fastify';
import type { AppPart } from '../../http/app.js';
import { toErrorBody } from '../../errors/error-body.js';
import { toNetwork } from './client-network.js';
import type { RateLimiter } from './rate-limiter.js';
import { toRateHeaders, toRateMessage } from './rate-verdict.js';

/** Returns the key under which a request is counted: its caller if known, otherwise the network of its client. */
export async function toRateLimitKey(
  request: FastifyRequest,
  readCallerId: () => string | Promise<string>,
): Promise<string> {
  try {
    return `caller:${await readCallerId()}`;
  } catch {
    // Not reported here: an operation that needs the caller fails with the error.
    const { ip, socket } = request;
    // `ip` may be no IP address, because a proxy may forward a name or `unknown`.
    return `address:${toNetwork(ip) ?? toNetwork(socket.remoteAddress)}`;
  }
}

/** Refuses operations of a caller over its limit with 429, `RATE_LIMITED`, before reading their bodies. */
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
