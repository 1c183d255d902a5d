import { errors, type JSONWebKeySet } from 'jose';

/** Time for the whole answer of the issuer. */
const TIMEOUT_MS = 3_000;
/** Longest answer of the issuer, after decompression. */
const MAX_BYTES = 1_048_576;

/**
 * Fetches the keys that an issuer publishes. Redirects are not followed. The result may still be no key set.
 *
 * @throws Error when the keys do not come whole within 3 s and 1 MiB
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- jose checks whether it is a key set
  return JSON.parse(await readText(response)) as JSONWebKeySet;
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new errors.JOSEError("the issuer's keys are longer than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
