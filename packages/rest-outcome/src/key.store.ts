/** Stores the result of the first call with each idempotency key, until the key expires. */
export interface KeyStore {
  /**
   * Claims a key for a call, or returns the state in which an earlier call left the key. Atomic: of two concurrent
   * claims only one succeeds.
   *
   * @param id hash of the key, its caller and its purpose
   * @param fingerprint hash of the call's method, path and body
   * @param callerId caller who sent the key
   * @param leaseMs maximum time of the call from now. After that, a call without a record counts as `lost`
   * @throws Error when the store cannot be reached, or has no room for the key
   */
  claim(
    id: string,
    fingerprint: string,
    callerId: string,
    leaseMs: number,
  ): Promise<Claimed | Found>;
}

/** State of a key that an earlier call has claimed; `settled` comes with the record of that call's result. */
export type Found =
  | { readonly state: 'running' }
  /** The lease of the earlier call expired without a record: its process has died, or could not store the record. */
  | { readonly state: 'lost' }
  /** The earlier call had another fingerprint. */
  | { readonly state: 'reused' }
  | { readonly state: 'settled'; readonly record: string };

/**
 * A claimed key. Call `keep` or `free` when the call has ended. Neither rejects, because a storage failure must not
 * replace the result of a call that has been made.
 */
export interface Claimed {
  readonly state: 'claimed';
  /**
   * Stores the result of the call.
   *
   * @param shortRecord stored instead of `record` when the store has no room for `record`
   */
  keep(record: string, shortRecord: string): Promise<void>;
  /** Deletes the key, as if there had been no call. */
  free(): Promise<void>;
}
