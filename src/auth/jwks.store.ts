import { isDeepStrictEqual } from 'node:util';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';
import { Refusal } from '../errors/refusal.js';

/** Minimum time between two fetches, so that tokens with unknown keys cannot flood the issuer. */
const COOLDOWN_MS = 5_000;
/** Age at which the keys are refreshed, so that a withdrawn key stops being accepted. */
const REFRESH_MS = 600_000;
/** Time until the timer retries a failed fetch. A token that no cached key fits triggers a fetch sooner. */
const RETRY_MS = 30_000;
/** Interval at which a timer checks whether a fetch is due. */
const CHECK_INTERVAL_MS = 1_000;
/** Timeout of the issuer's whole response. */
const FETCH_TIMEOUT_MS = 3_000;
/** Maximum size of the issuer's response, after decompression. */
const MAX_KEY_SET_BYTES = 1_048_576;
/**
 * Time for which keys are used while the issuer cannot be reached: its outage of a night refuses no caller. A key that
 * was withdrawn during the outage is accepted for as long.
 */
const MAX_STALE_MS = 24 * 3_600_000;

type FetchInit = { redirect: 'manual'; headers: Record<string, string>; signal: AbortSignal };
/** `fetch`, or one that goes through a proxy. */
export type FetchKeys = (url: URL, init: FetchInit) => Promise<Response>;

type Key = Awaited<ReturnType<JWTVerifyGetKey>>;

/**
 * Creates a cache of an issuer's keys, which are fetched for the first token or readiness probe, and then refreshed in the background.
 *
 * @param onChange called when fetched keys differ from the cached ones
 */
export function createKeyStore(
  url: URL,
  logger: Logger,
  onChange: () => void,
  fetchKeys: FetchKeys = fetch,
) {
  const closing = new AbortController();
  let keys: { keySet: JSONWebKeySet; find: JWTVerifyGetKey; askedAt: number } | undefined;
  /** Start of the latest fetch, by `performance.now()`, in ms; that of `keys` is the fetch that brought them. */
  let askedAt = -Infinity;
  let fetching: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Fetches the keys, or waits for the fetch under way. Does nothing during the cooldown. Never rejects. */
  async function refresh(): Promise<void> {
    if (fetching) return fetching;
    if (performance.now() - askedAt < COOLDOWN_MS) return;
    askedAt = performance.now();
    timer ??= setInterval(refreshIfDue, CHECK_INTERVAL_MS).unref();
    fetching = load().finally(() => (fetching = undefined));
    return fetching;
  }

  async function load(): Promise<void> {
    try {
      const keySet = await fetchKeySet(url, closing.signal, fetchKeys);
      const find = createLocalJWKSet(keySet);
      const isChanged = !isDeepStrictEqual(keySet, keys?.keySet);
      // Only one fetch runs at a time, so `askedAt` is still the start of this fetch.
      keys = { keySet, find, askedAt };
      if (isChanged) onChange();
    } catch (error) {
      if (closing.signal.aborted) return;
      logger.warn({ err: error }, 'the keys that verify tokens cannot be fetched');
    }
  }

  function refreshIfDue(): void {
    const hasFailed = keys?.askedAt !== askedAt;
    if (performance.now() - askedAt >= (hasFailed ? RETRY_MS : REFRESH_MS)) void refresh();
  }

  /** Looks in the cache for the key of a token. Returns `undefined` if no key fits, or the keys are too old. */
  async function look(...token: Parameters<JWTVerifyGetKey>): Promise<Key | undefined> {
    if (!keys || performance.now() - keys.askedAt > MAX_STALE_MS) return undefined;
    try {
      return await keys.find(...token);
    } catch (error) {
      const isOfToken =
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported;
      // Fresh keys could not help if the token causes the error.
      if (isOfToken) throw error;
      return undefined;
    }
  }

  return {
    /**
     * Returns the key that verifies a token. Waits for a fetch only if no cached key fits.
     *
     * @throws Refusal `UPSTREAM_UNAVAILABLE` when no cached key fits, and fresh keys cannot be fetched at the moment
     * @throws JWKSNoMatchingKey when keys that were fetched after the token arrived do not fit either
     */
    find: async (...token: Parameters<JWTVerifyGetKey>): Promise<Key> => {
      const arrivedAt = performance.now();
      const known = await look(...token);
      if (known) return known;
      await refresh();
      const found = await look(...token);
      if (found) return found;
      // Only keys fetched after the token arrived prove that its key does not exist: older ones may lack a new key.
      if (keys && keys.askedAt >= arrivedAt) throw new errors.JWKSNoMatchingKey();
      const waitMs = Math.max(0, askedAt + COOLDOWN_MS - performance.now());
      throw new Refusal(
        'UPSTREAM_UNAVAILABLE',
        "The token cannot be verified until its issuer's keys are fetched again. Nothing was sent.",
        { retryAfterSeconds: Math.ceil(waitMs / 1_000) },
      );
    },
    /** Returns whether keys have ever been fetched. Tries to fetch them if not. */
    haveArrived: async (): Promise<boolean> => {
      if (!keys) await refresh();
      return keys !== undefined;
    },
    close(): void {
      clearInterval(timer);
      closing.abort();
    },
  };
}

/**
 * Fetches the key set that an issuer publishes. Does not follow redirects. The result may be any JSON value: the caller
 * must check that it is a key set.
 *
 * @throws Error when the issuer does not answer 200 with JSON of at most 1 MiB within 3 s
 */
async function fetchKeySet(
  url: URL,
  signal: AbortSignal,
  fetchKeys: FetchKeys,
): Promise<JSONWebKeySet> {
  const response = await fetchKeys(url, {
    redirect: 'manual',
    headers: { accept: 'application/json, application/jwk-set+json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new errors.JOSEError(`the issuer answered ${response.status} in place of its keys`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // The `throw` leaves the loop early, which cancels the rest of the body.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_KEY_SET_BYTES)
      throw new errors.JOSEError("the issuer's keys are longer than 1 MiB");
    chunks.push(chunk);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- jose checks whether the value is a key set
  return JSON.parse(Buffer.concat(chunks).toString()) as JSONWebKeySet;
}
