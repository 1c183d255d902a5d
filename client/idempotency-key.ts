/** The part of Web Crypto that works on pages served by HTTP too, unlike `crypto.randomUUID`. */
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/**
 * Makes an idempotency key: 128 random bits in hexadecimal. Make a new key for each thing that a user does, and send
 * that key with every attempt at it. After an answer with the outcome `UNKNOWN`, or none, keep the key: a repeat with
 * another one may write twice.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
