import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ToHeaders } from 'rest-outcome';
import { TOKEN_CHARACTERS } from '../config/values.js';
import { Refusal } from '../errors/refusal.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** `null` until `toCaller` sets the caller. A WeakMap instead would keep whole requests alive until a major GC. */
    caller: Caller | null;
  }
}

export interface CallerIdentity {
  /** `jwt:<issuer>:<subject>` or `key:<name>`; the hash of the token with `AUTH_MODE=forward`. */
  readonly callerId: string;
  /** False for a token that may read only. */
  readonly mayWrite: boolean;
  /** Claims of the caller's verified JWT; empty for any other caller. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Authenticates callers, and chooses the token that is sent to the Study API for each caller. */
export interface Auth {
  /** Returns who has this bearer token. Fails with a `Refusal` when the token is not valid. */
  authenticate(token: string): CallerIdentity | Promise<CallerIdentity>;
  /** Returns the token for the Study API. @param token that of the caller */
  toApiToken(token: string): string;
  /** Returns whether the keys of the issuer have ever been fetched; tries to fetch them if not. True without an issuer. */
  readonly hasIssuerKeys: () => Promise<boolean>;
  close(): void;
}

/** Sends the caller's own token to the Study API, which validates the token. */
export const forwardAuth: Auth = {
  authenticate: (token) => {
    const callerId = hash('sha256', token, 'base64url');
    return { callerId, mayWrite: true, claims: {} };
  },
  toApiToken: (token) => token,
  hasIssuerKeys: async () => true,
  close: () => {},
};

/** Creates the part that gives each request one caller, for rate limits and resolvers alike: a JWT is verified only once. */
export function createCallers(auth: Auth) {
  return {
    addCallers: (app: FastifyInstance): void => void app.decorateRequest('caller', null),
    toCaller: (request: FastifyRequest): Caller =>
      (request.caller ??= new Caller(auth, request.headers)),
  };
}

/** The client on whose behalf the gateway calls the API. Authenticated when an operation first needs it, and only once. */
export class Caller {
  #token = '';
  #identity: Promise<CallerIdentity> | undefined;
  #callerId: string | undefined;

  constructor(
    private readonly auth: Auth,
    private readonly headers: IncomingHttpHeaders,
  ) {}

  /** Returns who the caller is, for `authorize`. Fails when the caller cannot be authenticated. */
  identity(): Promise<CallerIdentity> {
    return (this.#identity ??= this.#authenticate());
  }

  async #authenticate(): Promise<CallerIdentity> {
    this.#token = readBearerToken(this.headers);
    const identity = await this.auth.authenticate(this.#token);
    this.#callerId = identity.callerId;
    return identity;
  }

  /** Returns the id of the caller, in `forward` mode of its token. Fails when the caller cannot be authenticated. */
  async callerId(): Promise<string> {
    return (await this.identity()).callerId;
  }

  /**
   * Returns the bearer token for the API. Fails when the caller cannot be authenticated, or when `isWrite` is set and the
   * caller may only read.
   */
  async token(isWrite: boolean): Promise<string> {
    const { mayWrite } = await this.identity();
    if (isWrite && !mayWrite) throw new Refusal('FORBIDDEN', 'The token may read only.');
    return this.auth.toApiToken(this.#token);
  }

  /**
   * Returns a pseudonym of the caller for logs: 16 characters of a hash, 96 bits, equal in all operations of the caller.
   * `undefined` until the caller is authenticated.
   */
  logId(): string | undefined {
    const id = this.#callerId;
    // With `AUTH_MODE=forward` the id is a hash already.
    return (id?.includes(':') ? hash('sha256', id, 'base64url') : id)?.slice(0, 16);
  }
}

/** @param reason why the caller is refused, for the log: a fixed text */
export function refused(message: string, reason = message): Refusal {
  return new Refusal('UNAUTHENTICATED', message, { status: 401, reason });
}

/** Matches the value of an Authorization header with a bearer token, which is group 1. Ignores the case of `Bearer`. */
const CREDENTIALS_PATTERN = new RegExp(`^bearer +(${TOKEN_CHARACTERS}+=*)$`, 'i');

/**
 * Returns the bearer token of a request.
 *
 * @param headers headers in which Node has joined those of one name, by commas: http/app.ts says so
 * @throws Refusal `UNAUTHENTICATED` when the Authorization header is missing, repeated or not a bearer token
 */
function readBearerToken({ authorization }: IncomingHttpHeaders): string {
  if (authorization === undefined)
    throw refused('Send your token as "Authorization: Bearer <API_TOKEN>".');
  const token = CREDENTIALS_PATTERN.exec(authorization)?.[1];
  if (token === undefined)
    throw refused('The Authorization header holds no bearer token (RFC 6750).');
  return token;
}

/**
 * Returns the `WWW-Authenticate` header of a refused request (RFC 6750 §3). The header names an error only if the
 * request had a bearer token.
 */
export function toChallenge(
  refusal: 'UNAUTHENTICATED' | 'FORBIDDEN',
  authorization: string | undefined,
): string {
  const challenge = 'Bearer realm="study-gateway"';
  if (refusal === 'FORBIDDEN') return `${challenge}, error="insufficient_scope"`;
  return /^bearer /i.test(authorization ?? '') ? `${challenge}, error="invalid_token"` : challenge;
}

/** Maximum length of the name and of the version of a client, in characters. */
const MAX_NAME_LENGTH = 64;

export type Frontend = ReturnType<typeof readFrontend>;

/** Reads the headers by which clients of Apollo name themselves. */
export function readFrontend(headers: IncomingHttpHeaders) {
  const read = (name: string): string | undefined =>
    headers[name] && String(headers[name]).slice(0, MAX_NAME_LENGTH);
  return {
    name: read('apollographql-client-name'),
    version: read('apollographql-client-version'),
  };
}

/** Creates the headers that tell the Study API who calls, on whose behalf, and for which request. */
export function createHeaders(
  userAgent: string,
): ToHeaders<{ readonly caller: Caller; readonly requestId: string }> {
  return async ({ isWrite }, { caller, requestId }) => ({
    authorization: `Bearer ${await caller.token(isWrite)}`,
    'user-agent': userAgent,
    'x-request-id': requestId,
  });
}
