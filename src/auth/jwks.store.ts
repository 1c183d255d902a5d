import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { Logger } from '../logger.js';
import { fetchKeySet } from './jwks.download.js';
import { KeysUnavailableError } from './keys-unavailable.error.js';

/** Least time between two fetches, whatever tokens come. */
const COOLDOWN_MS = 5_000;
/** Age at which keys are fetched again, so that a withdrawn key is not accepted for ever. */
const REFRESH_MS = 600_000;
/** Time from a failed fetch to the next fetch, unless a token needs the keys sooner. */
const RETRY_MS = 30_000;
/** Time between two checks whether a fetch is due. */
const LOOK_MS = 1_000;
const MS_PER_HOUR = 3_600_000;

type Key = Awaited<ReturnType<JWTVerifyGetKey>>;

export interface KeyStoreOptions {
  readonly jwtJwksUrl: URL;
  /** Age at which keys are no longer used, even when the issuer cannot be reached. */
  readonly jwtJwksMaxStaleHours: number;
  readonly logger: Logger;
}

export interface KeyStore {
  /**
   * Finds the key that a token names. Waits for the issuer only when no key at hand fits.
   *
   * @throws KeysUnavailableError while the issuer may have the key, and cannot be asked
   * @throws JWKSNoMatchingKey when the issuer, asked after the token came, does not have the key
   */
  readonly find: JWTVerifyGetKey;
  close(): void;
}

/** The keys of an issuer: fetched for the first token, then refreshed in the background. */
export function createKeyStore(options: KeyStoreOptions): KeyStore {
  const { jwtJwksUrl, jwtJwksMaxStaleHours, logger } = options;
  const maxStaleMs = jwtJwksMaxStaleHours * MS_PER_HOUR;
  const closing = new AbortController();
  let keys: { readonly find: JWTVerifyGetKey; readonly askedAt: number } | undefined;
  let askedAt = -Infinity;
  let fetching: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Never rejects; does nothing during the cooldown. */
  async function refresh(): Promise<void> {
    if (fetching) return fetching;
    if (performance.now() - askedAt < COOLDOWN_MS) return;
    askedAt = performance.now();
    timer ??= setInterval(refreshIfDue, LOOK_MS).unref();
    fetching = load().finally(() => (fetching = undefined));
    return fetching;
  }

  async function load(): Promise<void> {
    try {
      const find = createLocalJWKSet(await fetchKeySet(jwtJwksUrl, closing.signal));
      // One fetch runs at a time, so `askedAt` is still the start of this one.
      keys = { find, askedAt };
    } catch (error) {
      if (closing.signal.aborted) return;
      logger.warn({ err: error }, 'the keys that tokens are verified with cannot be fetched');
    }
  }

  function refreshIfDue(): void {
    const hasFailed = keys?.askedAt !== askedAt;
    if (performance.now() - askedAt >= (hasFailed ? RETRY_MS : REFRESH_MS)) void refresh();
  }

  /** `undefined` where no key at hand fits. */
  async function look(...token: Parameters<JWTVerifyGetKey>): Promise<Key | undefined> {
    if (!keys || performance.now() - keys.askedAt > maxStaleMs) return undefined;
    try {
      return await keys.find(...token);
    } catch (error) {
      if (isOfToken(error)) throw error;
      return undefined;
    }
  }

  return {
    async find(...token) {
      const arrivedAt = performance.now();
      const known = await look(...token);
      if (known) return known;
      await refresh();
      const found = await look(...token);
      if (found) return found;
      // A fetch begun before the token came may have been too early for a new key.
      if (keys && keys.askedAt >= arrivedAt) throw new errors.JWKSNoMatchingKey();
      const waitMs = Math.max(0, askedAt + COOLDOWN_MS - performance.now());
      throw new KeysUnavailableError(Math.ceil(waitMs / 1_000));
    },
    close() {
      clearInterval(timer);
      closing.abort();
    },
  };
}

/** Whether the token itself is wrong, so that no other key could help. */
function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSMultipleMatchingKeys || error instanceof errors.JOSENotSupported
  );
}
