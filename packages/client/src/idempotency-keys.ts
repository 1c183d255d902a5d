import { isRecord, type UnknownRecord } from './answer.js';
import { studyProblem } from './study-problem.js';

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

/** One idempotency key for each set of variables, until an answer tells what became of that write. */
export class IdempotencyKeys {
  readonly #keys = new Map<string, string>();

  /** Returns the key of the last call with these variables, or a new one when the end of that call is known. */
  take(variables: unknown): string {
    const name = toName(variables);
    const key = this.#keys.get(name) ?? newIdempotencyKey();
    this.#keys.set(name, key);
    return key;
  }

  /**
   * Forgets `key` unless nobody knows whether the write was made.
   *
   * @param error what the call failed with; `undefined` after a success
   */
  settle(variables: unknown, key: string, error: unknown): void {
    const name = toName(variables);
    const isKnown = error === undefined || studyProblem(error).kind !== 'unknown';
    if (isKnown && this.#keys.get(name) === key) this.#keys.delete(name);
  }

  /** Forgets all keys: the next calls are writes of their own. */
  clear(): void {
    this.#keys.clear();
  }
}

/** Equal for equal variables, whatever the order of their properties. */
function toName(variables: unknown): string {
  return JSON.stringify(variables, (_, value: unknown) =>
    isRecord(value) && !Array.isArray(value) ? toSorted(value) : value,
  );
}

/** A copy with sorted properties. */
function toSorted(record: UnknownRecord): UnknownRecord {
  const names = Object.keys(record);
  // oxlint-disable-next-line unicorn/no-array-sort -- sorts an array of its own; older browsers lack toSorted
  return Object.fromEntries(names.sort().map((name) => [name, record[name]]));
}
