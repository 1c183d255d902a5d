/** The part of Web Crypto that pages served by HTTP have too; they lack `crypto.randomUUID`. */
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/**
 * Makes an idempotency key, a random UUID. Make a new key for each thing that a user does, and send that key with every
 * attempt at it. Keep the key when the outcome is `UNKNOWN` or no answer came: a repeat with another key may write
 * twice.
 */
export function newIdempotencyKey(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), toHex).join('');
  // Version 4 and variant 8 of RFC 9562 take the place of two random digits.
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
