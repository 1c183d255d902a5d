import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_TOKEN_LENGTH, TOKEN_CHARACTERS } from '../config/values.js';
import { refused } from './bearer.js';
import { noClaims, toLogId, type Auth, type Caller, type CallerIdentity } from './caller.js';
import type { AuthOptions } from './service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** `null` until `toCaller` sets the caller. A WeakMap instead would keep whole requests alive until a major GC. */
    caller: Caller | null;
  }
}

/** Matches the value of an Authorization header with a bearer token, which is group 1. Ignores the case of `Bearer`. */
const CREDENTIALS_PATTERN = new RegExp(`^bearer +(${TOKEN_CHARACTERS}+=*)$`, 'i');

/**
 * Determines the caller of a request once, for rate limits and resolvers alike: a JWT is verified only once.
 *
 * @throws ConfigError when the mode is `service` and no token for the Study API can be read
 */
export async function createCallers(options: AuthOptions) {
  const isService = options.authMode === 'service';
  const auth: Auth = isService
    ? await (await import('./service.js')).createServiceAuth(options)
    : forwardAuth;
  const whoseToken = isService ? 'your' : 'the Study API';
  const toCaller = (request: FastifyRequest): Caller => {
    const readToken = (): string => readBearerToken(request.headers, whoseToken);
    request.caller ??= auth.toCaller(readToken);
    return request.caller;
  };
  return {
    hasIssuerKeys: async () => (await auth.hasIssuerKeys?.()) ?? true,
    addCallers: (app: FastifyInstance): void => void app.decorateRequest('caller', null),
    toCaller,
    close: () => auth.close(),
  };
}

/**
 * Returns the bearer token of a request.
 *
 * @param headers headers in which Node has joined those of one name: http/app.ts says so
 * @param whose words before "token" in the error message: "the Study API" or "your"
 * @throws Refusal `UNAUTHENTICATED` when the Authorization header is missing, repeated, too long or not a bearer token
 */
function readBearerToken({ authorization }: IncomingHttpHeaders, whose: string): string {
  if (authorization === undefined)
    throw refused(`Send ${whose} token as "Authorization: Bearer <API_TOKEN>".`);
  if (authorization.includes(', '))
    throw refused('The request has more than one Authorization header.');
  // Checked before the pattern runs, so that the pattern never scans a long header.
  if (authorization.length > MAX_TOKEN_LENGTH + 'Bearer '.length)
    throw refused(`The bearer token is longer than ${MAX_TOKEN_LENGTH} bytes.`);
  const token = CREDENTIALS_PATTERN.exec(authorization)?.[1];
  if (token === undefined)
    throw refused('The Authorization header holds no bearer token (RFC 6750).');
  return token;
}

/** Sends the caller's own token to the Study API, which validates the token. */
const forwardAuth: Auth = {
  toCaller: (readToken) => new ForwardedCaller(readToken),
  close: () => {},
};

class ForwardedCaller implements Caller {
  /** Cached, because both the REST call and the log need the token. */
  #token: string | undefined;

  constructor(private readonly readToken: () => string) {}

  token(): string {
    return (this.#token ??= this.readToken());
  }

  callerId(): string {
    return hash('sha256', this.token(), 'base64url');
  }

  identity(): CallerIdentity {
    return { callerId: this.callerId(), mayWrite: true, claims: noClaims };
  }

  logId(): string | undefined {
    try {
      return toLogId(this.token());
    } catch {
      // Ignored here: the REST call, which needs the token too, reports the error.
      return undefined;
    }
  }
}
