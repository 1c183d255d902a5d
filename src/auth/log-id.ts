import { hash } from 'node:crypto';

/** Length of a log id in characters: 96 bits, enough to avoid collisions. */
const LENGTH = 16;

/** Returns the id that logs show in place of `id`: the first 16 characters of its SHA-256, in base64url. */
export function toLogId(id: string): string {
  return hash('sha256', id, 'base64url').slice(0, LENGTH);
}
