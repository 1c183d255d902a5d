/** Who a caller has proved to be, and what that allows. */
export interface Identity {
  /** `jwt:<issuer>:<subject>`, `key:<name>` or `anonymous`. */
  readonly callerId: string;
  readonly mayWrite: boolean;
}
