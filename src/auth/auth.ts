import type { Caller } from '../study/study.api.js';

/** Finds out who calls, and with whose token the Study API is called for them. */
export interface Auth {
  /** Whether every caller is admitted without proof of identity. */
  readonly isOpen: boolean;
  /**
   * @param readToken reads the bearer token of the request, once an operation needs the token; throws
   *   `UnauthenticatedError` when the request has none
   */
  toCaller(requestId: string, readToken: () => string): Caller;
  close(): void;
}
