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
 * The JSON value in a body. The gateway asks for no encoding, but understands the usual ones, because a proxy
 * on the way may apply one all the same. Throws `SyntaxError` on anything but JSON, and `TypeError` on bytes that
 * are not UTF-8; what is encoded rejects too when the encoding is not known, the body is not in it, or is longer.
 *
 * @param contentEncoding the `Content-Encoding` header
 * @param maxBytes the most bytes after decoding
 */
export async function readJson(
  body: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<unknown> {
  const isPlain = contentEncoding === undefined || contentEncoding === 'identity';
  const plain = isPlain ? body : await decode(body, contentEncoding, maxBytes);
  return JSON.parse(utf8.decode(plain)) as unknown;
}

async function decode(body: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  const decode = decoders.get(encoding.trim().toLowerCase());
  if (!decode) throw new Error('a content encoding that is not known');
  return decode(body, { maxOutputLength });
}
