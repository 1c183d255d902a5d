import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { JsonObject } from './call.js';
import { StacklessError } from './stackless.js';

declare global {
  interface JSON {
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

/** Returns the value of a JSON text: `JSON.parse`, or a parser with bounds or exact numbers. */
export type ParseJson = (text: string) => unknown;

/** Thrown by a `ParseJson` for a text that may be JSON, and has too much in it to be read. */
export class ExcessError extends StacklessError {
  override readonly name = 'ExcessError';

  /**
   * @param message what the text has too much of: `more than 100,000 lists and objects`
   * @param outline the text without the contents of inner lists and objects, in which the id is looked for
   */
  constructor(
    message: string,
    readonly outline: string,
  ) {
    super(message);
  }
}

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
    // A number as it is written, from a parser that keeps numbers exact.
    !JSON.isRawJSON(value)
  );
}

/**
 * Removes the content encoding of a body. The client requests no encoding, but a proxy may apply one. Returns
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

/**
 * Returns the JSON value of a body; `undefined` if the body is not JSON in UTF-8. Returns the error, and does not throw it,
 * for a body with too much in it.
 */
export function readJson(body: Buffer, parse: ParseJson): unknown {
  try {
    return parse(utf8.decode(body));
  } catch (error) {
    return error instanceof ExcessError ? error : undefined;
  }
}
