import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ToHeaders } from 'rest-outcome';

/** Identity and token of the client on whose behalf the gateway calls the API. */
export interface Caller {
  /**
   * Returns the bearer token for the API. Fails when the caller cannot be authenticated, or when `isWrite` is set and
   * the caller may only read.
   */
  token(isWrite: boolean): string | Promise<string>;
  /** Returns the id of the caller, the scope of its idempotency keys. Fails when the caller cannot be authenticated. */
  callerId(): string | Promise<string>;
  /** Returns who the caller is, for `authorize`. Fails when the caller cannot be authenticated. */
  identity(): CallerIdentity | Promise<CallerIdentity>;
  /**
   * Returns a pseudonym of the caller for logs: 16 characters of a hash, equal in all operations of the caller.
   * `undefined` if no token of the caller has been accepted. Never throws.
   */
  logId(): string | undefined;
}

/** Identifies callers, and chooses the token that is sent to the Study API for each caller. */
export interface Auth {
  /**
   * Returns the caller of a request, without reading the token yet.
   *
   * @param readToken called when an operation first needs the token; returns the request's bearer token, or throws
   *   a `Refusal` when the request has no valid token
   */
  toCaller(readToken: () => string): Caller;
  /** Returns whether the keys of the issuer have ever been fetched; tries to fetch them if not. Absent without an issuer. */
  readonly hasIssuerKeys?: (() => Promise<boolean>) | undefined;
  close(): void;
}

/** Number of characters after which a name or a version is cut. */
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

/**
 * Returns the id that logs show in place of `id`: the first 16 characters of its SHA-256, in base64url. These are 96 bits,
 * enough to avoid collisions.
 */
export function toLogId(id: string): string {
  return hash('sha256', id, 'base64url').slice(0, 16);
}

/** Creates the headers that tell the Study API who calls, on whose behalf, and for which request. */
export function createHeaders(
  userAgent: string,
): ToHeaders<{ readonly caller: Caller; readonly requestId: string }> {
  const withToken = (token: string, requestId: string): Record<string, string> => ({
    authorization: `Bearer ${token}`,
    'user-agent': userAgent,
    'x-request-id': requestId,
  });
  return ({ isWrite }, { caller, requestId }) => {
    const token = caller.token(isWrite);
    return typeof token === 'string'
      ? withToken(token, requestId)
      : token.then((known) => withToken(known, requestId));
  };
}

export interface CallerIdentity {
  /** `jwt:<issuer>:<subject>` or `key:<name>`; the hash of the token with `AUTH_MODE=forward`. */
  readonly callerId: string;
  /** False for a token that may read only. */
  readonly mayWrite: boolean;
  /** Claims of the caller's verified JWT; empty for any other caller. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface Identity extends CallerIdentity {
  /** Id that logs show in place of `callerId`. */
  readonly logId: string;
}

export const noClaims: CallerIdentity['claims'] = {};

export function createIdentity(callerId: string, mayWrite: boolean, claims = noClaims): Identity {
  return { callerId, mayWrite, claims, logId: toLogId(callerId) };
}
