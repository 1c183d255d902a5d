import { hash } from 'node:crypto';

/** 96 bits: two callers with one id are not to be expected, and nothing leads back from it. */
const LENGTH = 16;

/** The beginning of its SHA-256 in base64url. */
export function toLogId(id: string): string {
  return hash('sha256', id, 'base64url').slice(0, LENGTH);
}
