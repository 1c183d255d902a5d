import { LRUCache } from 'lru-cache';
import type { Identity } from './caller.js';

/** Maximum number of tokens; the least recently used one is evicted first. */
const MAX_TOKENS = 10_000;
/** Time for which a token is accepted without verifying its signature again, unless it expires sooner. */
const MAX_AGE_MS = 60_000;

/** Identities of verified JWTs, by the SHA-256 of the token. */
export class VerifiedTokens {
  #tokens = createTokens();

  find(sha256: string): Identity | undefined {
    const token = this.#tokens.get(sha256);
    return token && performance.now() < token.validUntil ? token.identity : undefined;
  }

  /**
   * Returns a function that adds a token, `leftMs` before the token expires. Call when the verification starts: after
   * `clear` the function has no effect, because the token's key may have been withdrawn meanwhile.
   */
  begin(): (sha256: string, identity: Identity, leftMs: number) => void {
    const tokens = this.#tokens;
    return (sha256, identity, leftMs) => {
      const validUntil = performance.now() + Math.min(leftMs, MAX_AGE_MS);
      tokens.set(sha256, { identity, validUntil });
    };
  }

  /** Removes all tokens. Call when the issuer's key set has changed. */
  clear(): void {
    this.#tokens = createTokens();
  }
}

/** `validUntil` is a time by `performance.now()`, in ms. */
function createTokens() {
  return new LRUCache<string, { identity: Identity; validUntil: number }>({ max: MAX_TOKENS });
}
