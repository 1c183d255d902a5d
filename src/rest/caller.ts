/** Identity and token of the client on whose behalf the gateway calls the API. */
export interface Caller {
  /**
   * Returns the bearer token for the API. Fails when the caller cannot be authenticated, or when `isWrite` is set and
   * the caller may only read.
   */
  token(isWrite: boolean): string | Promise<string>;
  /** Returns the id of the caller, the scope of its idempotency keys. Fails when the caller cannot be authenticated. */
  callerId(): string | Promise<string>;
  /**
   * Returns a pseudonym of the caller for logs: 16 characters of a hash, equal in all operations of the caller.
   * `undefined` if no token of the caller has been accepted. Never throws.
   */
  logId(): string | undefined;
  readonly requestId: string;
  /** Set by the operation of the caller: another one would have a ledger of its own, which the errors do not read. */
  hasOperation?: boolean;
}
