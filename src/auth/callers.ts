import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBearerToken } from './bearer.js';
import type { Auth, Caller, RequestContext } from './caller.js';
import { forwardAuth } from './forward.auth.js';
import type { ServiceAuthOptions } from './service.auth.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** `null` until `toCaller` sets the caller. A WeakMap instead would keep whole requests alive until a major GC. */
    caller: Caller | null;
  }
}

export interface AuthOptions extends ServiceAuthOptions {
  /** `forward` sends the caller's token to the Study API; `service` sends the gateway's own token. */
  readonly authMode: 'forward' | 'service';
}

/**
 * Determines the caller of a request once, for rate limits and resolvers alike: a JWT is verified only once.
 *
 * @throws ConfigError when the mode is `service` and no token for the Study API can be read
 */
export async function createCallers(options: AuthOptions) {
  const isService = options.authMode === 'service';
  const auth: Auth = isService
    ? await (await import('./service.auth.js')).createServiceAuth(options)
    : forwardAuth;
  const whoseToken = isService ? 'your' : 'the Study API';
  const toCaller = (request: FastifyRequest): Caller => {
    const readToken = (): string => readBearerToken(request.headers, whoseToken);
    request.caller ??= auth.toCaller(readToken);
    return request.caller;
  };
  return {
    isOpen: auth.isOpen,
    /** Declares the property `caller` of requests. */
    addCallers: (app: FastifyInstance): void => void app.decorateRequest('caller', null),
    toCaller,
    toContext: (request: FastifyRequest): RequestContext => ({
      requestId: request.id,
      startedAt: performance.now(),
      caller: toCaller(request),
    }),
    close: () => auth.close(),
  };
}
