import { hash } from 'node:crypto';

/** Characters of an id: 96 bits, so that no two callers share an id by chance. */
const LENGTH = 16;

/** Returns the beginning of the SHA-256 of `id`, in base64url. */
export function toLogId(id: string): string {
  return hash('sha256', id, 'base64url').slice(0, LENGTH);
}
