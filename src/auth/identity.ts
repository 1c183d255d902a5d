/** The proved identity of a caller, and what that identity may do. */
export interface Identity {
  /** `jwt:<issuer>:<subject>`, `key:<name>` or `anonymous`. */
  readonly callerId: string;
  readonly mayWrite: boolean;
}
