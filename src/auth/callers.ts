import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBearerToken } from './bearer.js';
import { Caller } from './caller.js';
import type { Auth, AuthOptions } from './service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** `null` until `toCaller` sets the caller. A WeakMap instead would keep whole requests alive until a major GC. */
    caller: Caller | null;
  }
}

/** Sends the caller's own token to the Study API, which validates the token. */
const forwardAuth: Auth = {
  toCaller(readToken) {
    let token: string | undefined;
    const authenticate = () => {
      token = readToken();
      return { callerId: hash('sha256', token, 'base64url'), mayWrite: true, claims: {} };
    };
    return new Caller(authenticate, () => token ?? readToken());
  },
  close: () => {},
};

/**
 * Determines the caller of a request once, for rate limits and resolvers alike: a JWT is verified only once.
 *
 * @throws ConfigError when the mode is `service` and no token for the Study API can be read
 */
export async function createCallers(options: AuthOptions) {
  const isService = options.authMode === 'service';
  const auth = isService
    ? await (await import('./service.js')).createServiceAuth(options)
    : forwardAuth;
  const whose = isService ? 'your' : 'the Study API';
  return {
    hasIssuerKeys: async () => (await auth.hasIssuerKeys?.()) ?? true,
    addCallers: (app: FastifyInstance): void => void app.decorateRequest('caller', null),
    toCaller: (request: FastifyRequest): Caller =>
      (request.caller ??= auth.toCaller(() => readBearerToken(request.headers, whose))),
    close: () => auth.close(),
  };
}
