import type { RestError } from '../rest/errors.js';
import type { RawReply } from '../rest/raw-client.js';
import { toRetryAfterSeconds } from '../rest/retry-after.js';
import type { Observation } from './observation.js';

type ReplyFacts = Pick<Observation, 'status' | 'bytes' | 'mediaType' | 'encoding' | 'retryAfter'>;

const mediaTypes = ['application/json', 'application/problem+json', 'text/html', 'text/plain'];
const encodings = ['identity', 'gzip', 'x-gzip', 'deflate', 'br', 'zstd'];

/** What status and headers show. */
export function toReplyFacts({ status, headers, bytes }: RawReply): ReplyFacts {
  const [mediaType = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return {
    status,
    bytes,
    mediaType: toKnown(mediaType.trim(), mediaTypes),
    encoding: toKnown(encoding, encodings),
    retryAfter: toRetryAfterForm(headers['retry-after']),
  };
}

/** A header is shown only where it is one of the expected texts: it could hold anything. */
function toKnown(text: string, expected: readonly string[]): string {
  if (text === '') return 'none';
  return expected.includes(text) ? text : 'another';
}

function toRetryAfterForm(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (toRetryAfterSeconds(header) === undefined) return 'neither';
  return /^\s*\d+\s*$/.test(header) ? 'seconds' : 'a date';
}

/** What is known of an exchange that brought no whole answer. */
export function toFailureFacts({ failure, message, cause, status }: RestError) {
  return {
    failure: { name: failure, message: message + toCode(cause) },
    status,
    bytes: 0,
    mediaType: 'none',
    encoding: 'none',
    type: 'nothing',
    isFastApiError: false,
    studies: [],
  };
}

/** Code of a system or TLS error: ` (ECONNREFUSED)`. Its message could quote anything. */
function toCode(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z\d_]{1,64}$/.test(code) ? ` (${code})` : '';
}
