import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ToHeaders } from 'rest-outcome';
import { Refusal } from '../errors/refusal.js';

export interface CallerIdentity {
  /** `jwt:<issuer>:<subject>` or `key:<name>`; the hash of the token with `AUTH_MODE=forward`. */
  readonly callerId: string;
  /** False for a token that may read only. */
  readonly mayWrite: boolean;
  /** Claims of the caller's verified JWT; empty for any other caller. */
  readonly claims: Readonly<Record<string, unknown>>;
}

type OrPromise<Value> = Value | Promise<Value>;

/** The client on whose behalf the gateway calls the API. Authenticated when an operation first needs it, and only once. */
export class Caller {
  #identity: OrPromise<CallerIdentity> | undefined;
  #proved: CallerIdentity | undefined;

  /**
   * @param authenticate returns who the caller is; fails with a `Refusal` if the caller cannot be authenticated
   * @param readToken returns the bearer token for the API
   */
  constructor(
    private readonly authenticate: () => OrPromise<CallerIdentity>,
    private readonly readToken: () => string,
  ) {}

  /** Returns who the caller is, for `authorize`. Fails when the caller cannot be authenticated. */
  identity(): OrPromise<CallerIdentity> {
    return this.#withIdentity((identity) => identity);
  }

  /** Returns the id of the caller, the scope of its idempotency keys. Fails when the caller cannot be authenticated. */
  callerId(): OrPromise<string> {
    return this.#withIdentity(({ callerId }) => callerId);
  }

  /**
   * Returns the bearer token for the API. Fails when the caller cannot be authenticated, or when `isWrite` is set and the
   * caller may only read.
   */
  token(isWrite: boolean): OrPromise<string> {
    return this.#withIdentity(({ mayWrite }) => {
      if (isWrite && !mayWrite) throw new Refusal('FORBIDDEN', 'The token may read only.');
      return this.readToken();
    });
  }

  /**
   * Returns a pseudonym of the caller for logs: 16 characters of a hash, 96 bits, equal in all operations of the caller.
   * `undefined` until the caller is authenticated.
   */
  logId(): string | undefined {
    const id = this.#proved?.callerId;
    // With `AUTH_MODE=forward` the id is a hash already.
    return id?.includes(':') ? hash('sha256', id, 'base64url').slice(0, 16) : id?.slice(0, 16);
  }

  /** Calls `use` at once if the identity is known, as for API keys: a promise would cost every such operation. */
  #withIdentity<Result>(use: (identity: CallerIdentity) => Result): OrPromise<Result> {
    const identity = (this.#identity ??= this.authenticate());
    if (!(identity instanceof Promise)) return use((this.#proved = identity));
    return identity.then((proved) => use((this.#proved = proved)));
  }
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
