import { errors, type JSONWebKeySet } from 'jose';

/** Timeout of the issuer's whole response. */
const TIMEOUT_MS = 3_000;
/** Maximum size of the issuer's response, after decompression. */
const MAX_BYTES = 1_048_576;

/**
 * Fetches the key set that an issuer publishes. Does not follow redirects. The result may be any JSON value: the caller
 * must check that it is a key set.
 *
 * @throws Error when the issuer does not answer 200 with JSON of at most 1 MiB within 3 s
 */
export async function fetchKeySet(url: URL, signal: AbortSignal): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { accept: 'application/json, application/jwk-set+json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new errors.JOSEError(`the issuer answered ${response.status} in place of its keys`);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- jose checks whether the value is a key set
  return JSON.parse(await readText(response)) as JSONWebKeySet;
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // The `throw` leaves the loop early, which cancels the rest of the body.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new errors.JOSEError("the issuer's keys are longer than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
