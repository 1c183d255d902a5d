import type { Caller } from '../study/study.api.js';

/** The part of a pino logger that is needed here. */
export interface AuthLogger {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** Who calls, and with whose token the Study API is called for them. */
export interface Auth {
  /** Whether nobody has to prove who they are. */
  readonly isOpen: boolean;
  /**
   * @param readToken gives the bearer token of the request, and is called when an operation needs it; throws
   *   `UnauthenticatedError` when there is none
   */
  toCaller(requestId: string, readToken: () => string): Caller;
  close(): void;
}
