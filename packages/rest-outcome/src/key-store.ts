/**
 * What became of the first call with a key:
 * - `running`: the call is under way.
 * - `freed`: `NOT_SENT` or `REJECTED`, so a repeat is sent.
 * - `applied`: the API has carried the call out.
 * - `unknown`: nobody knows, so nothing is sent again.
 */
export const keyStates = ['running', 'freed', 'applied', 'unknown'] as const;

/** Lifetime of a key, from its claim, unless a store has another one: 48 hours. */
export const KEY_TTL_MS = 172_800_000;

/** A call that claims a key. */
export interface KeyClaim {
  /** Random for each call: tells the record of this call from all others. */
  readonly owner: string;
  /** Hash of the caller. */
  readonly by: string;
  /** Hash of method, path and body. */
  readonly fingerprint: string;
  /** Maximum time of the call from now, in ms. */
  readonly leaseMs: number;
  /** True for a call that has waited for another call: a key without a record was lost by the store, and is not new. */
  readonly onlyFreed: boolean;
}

/** The record of a key, as a claim has found or made it. */
export interface KeyRecord extends Pick<KeyClaim, 'owner' | 'by' | 'fingerprint'> {
  /** `unknown` in place of `running` if the lease has ended: the process of the call has died. */
  readonly state: (typeof keyStates)[number];
  /** Id of the thing that the call has written, if its answer showed one. */
  readonly id?: string | undefined;
}

/**
 * Holds a key while its write was, or may have been, made. Each method is atomic, and takes the time from one clock for all
 * processes.
 */
export interface KeyStore {
  /**
   * Claims a key that has no record, or a `freed` one with the fingerprint of the claim, for its whole lifetime.
   *
   * @param key hash of the key and its scope
   * @returns the record of the key: that of the claim, with its `owner`, if the claim succeeded. `undefined` if the claim
   *   is `onlyFreed`, and the key has no record
   * @throws Error when the store cannot be reached, or has no room for the key. A claim that was made although its reply was
   *   lost must be freed as soon as the store answers, because its call is not made
   */
  claim(key: string, claim: KeyClaim): Promise<KeyRecord | undefined>;
  /** Records how the call of an owner has ended. Does nothing if the record is another owner's, or gone. */
  keep(key: string, owner: string, state: 'applied' | 'unknown', id?: string): Promise<void>;
  /**
   * Records that the call of an owner has changed nothing. Does nothing if the record is another owner's, or gone. The
   * record is gone after `leaseMs`: until then a call that waits can tell it from a record that the store lost.
   */
  free(key: string, owner: string, leaseMs: number): Promise<void>;
  /** Called when the client has closed and its calls have ended. */
  close?(): Promise<void>;
}
