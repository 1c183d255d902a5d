/** Keeps the end of the first call with each idempotency key, for as long as the key is promised. */
export interface IdempotencyStore {
  /**
   * Claims the key for one call, or finds the state in which another call left the key. Atomic: of two calls that ask
   * at once, one gets the key.
   *
   * @param id of the key, its caller and its operation
   * @param fingerprint hash of the write
   * @param callerId owner of the key
   * @throws Error when the key's state is not known, or the key cannot be held
   */
  claim(id: string, fingerprint: string, callerId: string): Promise<Claimed | Found>;
}

/** The key is held by a call that is under way or has ended; `settled` with the record of its end. */
export type Found =
  | { readonly state: 'running' }
  /** Held by a call that is past its lease and left no record: its gateway is gone. */
  | { readonly state: 'lost' }
  /** Held by a call with another fingerprint. */
  | { readonly state: 'reused' }
  | { readonly state: 'settled'; readonly record: string };

/** The key is claimed until `keep` or `free` is called. Neither rejects: the call has been made by then. */
export interface Claimed {
  readonly state: 'claimed';
  /** @param shortRecord kept instead where there is no room for `record` */
  keep(record: string, shortRecord: string): Promise<void>;
  /** Forgets the key, as if there had been no call. */
  free(): Promise<void>;
}
