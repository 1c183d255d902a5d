import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import type { JsonObject } from './rest-call.js';

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

/** Throws `TypeError` on bytes that are not UTF-8; drops a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Decodes a body. The gateway asks for no encoding, but a proxy on the way may apply one. `undefined` when the
 * encoding is not known, the body is not valid in it, or the result is longer than `maxBytes`.
 *
 * @param contentEncoding the `Content-Encoding` header; a list when it was sent more than once
 * @param maxBytes limit after decoding
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string | readonly string[],
  maxBytes: number,
): Promise<Buffer | undefined> {
  const encodings = String(contentEncoding)
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const [encoding] = encodings;
  if (encoding === undefined) return body;
  const decode = encodings.length === 1 ? decoders.get(encoding) : undefined;
  return decode?.(body, { maxOutputLength: maxBytes }).catch(() => undefined);
}

/** The JSON value in a body; `undefined` when it is anything but JSON in UTF-8. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
