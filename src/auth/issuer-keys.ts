import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';
import { isJsonObject } from 'rest-outcome';
import { Refusal } from '../errors/refusal.js';

/** Minimum time between two downloads, failed ones included: tokens with made-up key ids cannot flood the issuer. */
const COOLDOWN_MS = 5_000;
/** Time between two reloads in the background, so that a withdrawn key stops being accepted. */
const RELOAD_MS = 300_000;
/** Timeout of the issuer's whole response. */
const DOWNLOAD_TIMEOUT_MS = 3_000;
/** Maximum size of the issuer's response, after decompression. */
const MAX_KEY_SET_BYTES = 1_048_576;
/** Time for which keys are used while the issuer cannot be reached: its outage of a night refuses no caller. */
const MAX_AGE_MS = 24 * 3_600_000;

type FetchInit = { redirect: 'manual'; headers: Headers; signal: AbortSignal };
/** `fetch`, or one that goes through a proxy. */
export type FetchKeys = (url: string, init: FetchInit) => Promise<Response>;

/** Downloads an issuer's keys for the first token or readiness probe, and then reloads them in the background. */
export function createIssuerKeys(url: URL, logger: Logger, fetchKeys: FetchKeys = fetch) {
  const closing = new AbortController();
  /** Start of the latest download, by `performance.now()`, in ms. */
  let askedAt = -Infinity;

  const remote = createRemoteJWKSet(url, {
    cacheMaxAge: MAX_AGE_MS,
    timeoutDuration: DOWNLOAD_TIMEOUT_MS,
    // Counts successes only: `download` counts failures too.
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: download,
  });

  async function download(href: string, init: FetchInit): Promise<Response> {
    if (performance.now() < askedAt + COOLDOWN_MS) throw new Error('downloaded less than 5 s ago');
    askedAt = performance.now();
    try {
      const signal = AbortSignal.any([init.signal, closing.signal]);
      return await readBounded(await fetchKeys(href, { ...init, signal }));
    } catch (error) {
      if (!closing.signal.aborted)
        logger.warn({ err: error }, 'the keys that verify tokens cannot be fetched');
      throw error;
    }
  }

  /** Never rejects: a failed download is in the log. */
  const reload = (): Promise<void> => remote.reload().catch(() => undefined);
  const timer = setInterval(() => void reload(), RELOAD_MS).unref();

  return {
    /**
     * Returns the key that verifies a token. Waits for a download only if no cached key fits.
     *
     * @throws Refusal `UPSTREAM_UNAVAILABLE` when no cached key fits, and fresh keys cannot be downloaded at the moment
     * @throws JOSEError when keys that were downloaded after the token arrived do not fit either
     */
    find: async (...token: Parameters<JWTVerifyGetKey>) => {
      const arrivedAt = performance.now();
      try {
        return await remote(...token);
      } catch (error) {
        const isOfToken =
          error instanceof errors.JWKSMultipleMatchingKeys ||
          // Older keys may lack a new one, and 401 would sign its users out.
          (error instanceof errors.JWKSNoMatchingKey && askedAt >= arrivedAt);
        if (isOfToken) throw error;
        throw new Refusal(
          'UPSTREAM_UNAVAILABLE',
          "The token cannot be verified until its issuer's keys are fetched again. Nothing was sent.",
          { status: 503, retryAfterSeconds: COOLDOWN_MS / 1_000 },
        );
      }
    },
    /** Returns whether keys have ever been downloaded. Tries to download them if not. */
    haveArrived: async (): Promise<boolean> => {
      if (!remote.jwks()) await reload();
      return remote.jwks() !== undefined;
    },
    close(): void {
      clearInterval(timer);
      closing.abort();
    },
  };
}

/** @throws JOSEError unless the issuer answers 200 with JSON of at most 1 MiB */
async function readBounded(response: Response): Promise<Response> {
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
  const keySet: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (!isJsonObject(keySet) || !keySet['keys'])
    throw new errors.JOSEError('the issuer answered without keys');
  return Response.json(keySet);
}
