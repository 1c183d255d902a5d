import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Auth } from '../auth/auth.js';
import { readBearerToken } from '../auth/bearer.js';
import type { RequestContext } from '../graphql/request-context.js';
import type { Caller } from '../rest/caller.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** `null` until `toCaller` sets the caller. A WeakMap instead would keep whole requests alive until a major GC. */
    caller: Caller | null;
  }
}

/** Determines the caller of a request once, for rate limits and resolvers alike: a JWT is verified only once. */
export interface Callers {
  /** Declares the property `caller` of requests. */
  readonly addCallers: (app: FastifyInstance) => void;
  readonly toCaller: (request: FastifyRequest) => Caller;
  readonly toContext: (request: FastifyRequest) => RequestContext;
}

export function createCallers(
  auth: Auth,
  { authMode }: { readonly authMode: 'forward' | 'service' },
): Callers {
  const whoseToken = authMode === 'service' ? 'your' : 'the Study API';
  const toCaller = (request: FastifyRequest): Caller => {
    const readToken = (): string => readBearerToken(request.raw, whoseToken);
    request.caller ??= auth.toCaller(request.id, readToken);
    return request.caller;
  };
  return {
    addCallers: (app) => void app.decorateRequest('caller', null),
    toCaller,
    toContext: (request) => ({
      requestId: request.id,
      startedAt: performance.now(),
      caller: toCaller(request),
    }),
  };
}
