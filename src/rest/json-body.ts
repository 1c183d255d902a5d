import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { parseExactJson } from './exact-json.js';
import { assertJsonSize, JsonExcessError, MAX_INEXACT_NUMBERS } from './json-size.js';
import type { JsonObject } from './rest-call.js';

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
]);

/** Throws `TypeError` on invalid UTF-8, and drops a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    // A number as it is written, see exact-json.ts.
    !JSON.isRawJSON(value)
  );
}

/**
 * Removes the content encoding of a body. The gateway requests no encoding, but a proxy may apply one. Returns
 * `undefined` for an unknown encoding, several encodings, a corrupt body, or a result longer than `maxBytes`.
 * Synchronous, so that the results of several answers are not in memory together before they are counted.
 *
 * @param contentEncoding value of the `Content-Encoding` header; a list when the header was sent more than once
 * @param maxBytes maximum size of the result
 */
export function decodeBody(
  body: Buffer,
  contentEncoding: string | readonly string[],
  maxBytes: number,
): Buffer | undefined {
  const encodings = String(contentEncoding)
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const [encoding] = encodings;
  if (encoding === undefined) return body;
  const decode = encodings.length === 1 ? decoders.get(encoding) : undefined;
  try {
    return decode?.(body, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** Returns the JSON value of a body, or `undefined` if the body is not JSON in UTF-8, or has too many parts to be read. */
export function parseJson(body: Buffer): unknown {
  const value = parseBoundedJson(body);
  return value instanceof JsonExcessError ? undefined : value;
}

/** Like `parseJson`, but returns the error for a body with too many parts. */
export function parseBoundedJson(body: Buffer): unknown {
  try {
    const text = utf8.decode(body);
    assertJsonSize(text);
    return parseExactJson(text, MAX_INEXACT_NUMBERS);
  } catch (error) {
    return error instanceof JsonExcessError ? error : undefined;
  }
}
