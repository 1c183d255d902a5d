/** Identity of a caller, with its permissions. */
export interface Identity {
  /** Has the form `jwt:<issuer>:<subject>` or `key:<name>`, or is `anonymous`. */
  readonly callerId: string;
  readonly mayWrite: boolean;
}
