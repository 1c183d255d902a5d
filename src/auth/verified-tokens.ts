import { LRUCache } from 'lru-cache';
import type { Identity } from './caller.js';

/** Maximum number of tokens; the least recently used one is evicted first. */
const MAX_TOKENS = 10_000;
/** Time for which a token is accepted without verifying its signature again, unless it expires sooner. */
const MAX_AGE_MS = 60_000;

/** Identities of verified JWTs, by the SHA-256 of the token. */
export class VerifiedTokens {
  /** `validUntil` is a time by `performance.now()`, in ms. */
  readonly #tokens = new LRUCache<string, { identity: Identity; validUntil: number }>({
    max: MAX_TOKENS,
  });
  #keySet = 0;

  find(sha256: string): Identity | undefined {
    const token = this.#tokens.get(sha256);
    return token && performance.now() < token.validUntil ? token.identity : undefined;
  }

  /** Number of the current key set, for `add`. */
  get keySet(): number {
    return this.#keySet;
  }

  /**
   * Adds a token, unless its key set is no longer current: the token's key may have been withdrawn meanwhile.
   *
   * @param leftMs time until the token expires
   * @param keySet number of the key set when the verification started
   */
  add(sha256: string, identity: Identity, leftMs: number, keySet: number): void {
    if (keySet !== this.#keySet) return;
    const validUntil = performance.now() + Math.min(leftMs, MAX_AGE_MS);
    this.#tokens.set(sha256, { identity, validUntil });
  }

  /** Removes all tokens. Call when the issuer's key set has changed. */
  clear(): void {
    this.#keySet += 1;
    this.#tokens.clear();
  }
}
