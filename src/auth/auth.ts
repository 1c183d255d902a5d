import type { Caller } from '../rest/caller.js';

/** Identifies callers, and chooses the token that is sent to the Study API for each caller. */
export interface Auth {
  /** Whether the gateway admits everybody without authentication. */
  readonly isOpen: boolean;
  /**
   * Returns the caller of a request, without reading the token yet.
   *
   * @param readToken called when an operation first needs the token; returns the request's bearer token, or throws
   *   a `Refusal` when the request has no valid token
   */
  toCaller(requestId: string, readToken: () => string): Caller;
  close(): void;
}
