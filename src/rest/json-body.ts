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

/**
 * The body as text. The gateway asks for no encoding, but understands the usual ones, because a proxy
 * on the way may apply one all the same.
 *
 * @param contentEncoding the `Content-Encoding` header
 * @param maxBytes the most bytes after decoding
 * @throws Error when the encoding is not known, the body is not in it, is longer, or is not UTF-8
 */
async function decodeText(
  body: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<string> {
  if (contentEncoding === undefined || contentEncoding === 'identity') return utf8.decode(body);
  const decode = decoders.get(contentEncoding.trim().toLowerCase());
  if (!decode) throw new Error('a content encoding that is not known');
  return utf8.decode(await decode(body, { maxOutputLength: maxBytes }));
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON value in `body`. Throws like {@link decodeText}, and `SyntaxError` on anything but JSON. */
export async function readJson(
  body: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<unknown> {
  return JSON.parse(await decodeText(body, contentEncoding, maxBytes)) as unknown;
}
