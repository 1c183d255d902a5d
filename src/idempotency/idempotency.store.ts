/** Keeps what became of the first call with an idempotency key, for as long as the key is promised. */
export interface IdempotencyStore {
  /**
   * Takes the key for one call, or finds what another call has made of it. In one step: of two that ask at
   * once, one gets it.
   *
   * @param id of the key, its caller and its operation
   * @param fingerprint of what is to be written
   * @param callerId whose key it is
   * @throws Error when it cannot be told whose the key is, or not be held
   */
  claim(id: string, fingerprint: string, callerId: string): Promise<Claimed | Found>;
}

/** The key is held by a call that is under way, or one that has ended; `settled` with what it left. */
export type Found =
  | { readonly state: 'running' }
  /** Held by a call that should have ended by now and has left nothing: its gateway is gone. */
  | { readonly state: 'lost' }
  /** Held by a call with another fingerprint. */
  | { readonly state: 'reused' }
  | { readonly state: 'settled'; readonly record: string };

/** The key is ours until one of the two is called. Neither rejects: the call has been made by then. */
export interface Claimed {
  readonly state: 'claimed';
  /** @param shortRecord is kept in its place where there is no room for `record` */
  keep(record: string, shortRecord: string): Promise<void>;
  /** As if there had been no call. */
  free(): Promise<void>;
}
