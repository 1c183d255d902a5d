import { findAnswer, isRecord, toLayers } from './answer.js';
import type { StudyProblem } from './problem.js';
import { studyProblem } from './study-problem.js';

/** The parts of Web Crypto that make keys. Pages served by HTTP lack `randomUUID`, React Native lacks both. */
interface WebCrypto {
  randomUUID?(): string;
  getRandomValues?(bytes: Uint8Array): Uint8Array;
}

/** The part of the Web Storage API that keeps keys. As in `localStorage`, the names are properties of the object. */
export interface KeyStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** Globals of a browser page. Servers, workers and React Native lack some or all of them. */
// oxlint-disable-next-line no-shadow-restricted-names -- declares a part: the package compiles without the types of a platform
declare const globalThis: {
  readonly crypto?: WebCrypto;
  readonly window?: { readonly localStorage?: KeyStorage };
  addEventListener?(type: 'storage', listener: () => void): void;
  removeEventListener?(type: 'storage', listener: () => void): void;
};

/** How long a key is kept: as long as the gateway keeps keys by default. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * Makes an idempotency key, a random UUID. Make a new key for each thing that a user does, and send that key with every
 * attempt at it. Keep the key when the outcome is `UNKNOWN` or no answer came: a repeat with another key may write
 * twice.
 */
export function newIdempotencyKey(): string {
  const { crypto } = globalThis;
  if (crypto?.randomUUID) return crypto.randomUUID();
  if (!crypto?.getRandomValues)
    throw new Error('crypto.getRandomValues is missing: import react-native-get-random-values.');
  const bytes = crypto.getRandomValues(new Uint8Array(36));
  // Version 4 and variant 8 of RFC 9562; every x is a random digit.
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', (_, index: number) =>
    (Number(bytes[index]) % 16).toString(16),
  );
}

/** A write that was sent, and whose outcome is not known yet. */
export interface UnsettledWrite {
  /** Time of the first try, in ms since 1970. */
  readonly since: number;
  /**
   * What can settle the write. `resend`: no answer came yet, so send the same variables again, which stores nothing
   * twice. `look`: the gateway answered `UNKNOWN` and repeats this answer; read whether the change was made, and
   * `forget` the write.
   */
  readonly next: 'resend' | 'look';
  /** Returns true if the write was sent with these variables. */
  readonly isOf: (variables: unknown) => boolean;
  /** Forgets the key: the next call with the same variables is a new write. Call it when somebody has looked. */
  readonly forget: () => void;
}

interface Entry {
  readonly key: string;
  readonly since: number;
  readonly next: UnsettledWrite['next'];
  /** Number of tries that may have written. */
  readonly tries: number;
}

/** Called at each change of an entry in this tab; the event `storage` reports the changes of other tabs. */
const listeners = new Set<() => void>();

/**
 * The idempotency keys of one form: one key for each set of variables, until an answer tells what became of that write.
 * Local storage keeps the keys of unsettled writes for 24 hours, for all components, pages and tabs with the same form;
 * it keeps a digest in place of the variables. Without local storage an object of this class keeps its own keys.
 */
export class IdempotencyKeys {
  readonly #prefix: string;
  readonly #storage: KeyStorage | undefined;
  /** Entries that the storage did not take. */
  readonly #memory = new Map<string, string>();
  /** Names of the writes that this object is sending. */
  readonly #underWay = new Set<string>();
  #listed: readonly UnsettledWrite[] = [];
  #listedText = '';

  /**
   * @param form name of the form. Where several people use one browser, put the user's id into the name.
   * @param storage default: the page's local storage
   */
  constructor(form: string, storage?: KeyStorage) {
    this.#prefix = `study-gateway:${form}:`;
    this.#storage = storage ?? attempt(() => globalThis.window?.localStorage);
  }

  /**
   * Calls `run` with the variables and their key, and returns what `run` returns. Settles the write unless the error
   * that `run` rejects with, or has in its result, leaves the outcome unknown, or its result is a response without data.
   */
  send<Variables extends object, Result>(
    variables: Variables,
    run: (variables: Variables & { readonly idempotencyKey: string }) => Promise<Result>,
  ): Promise<Result> {
    const name = this.#toName(variables);
    const known = this.#read(name);
    const { key: idempotencyKey } = this.#write(name, {
      key: newIdempotencyKey(),
      since: Date.now(),
      next: 'resend',
      ...known,
      tries: (known?.tries ?? 0) + 1,
    });
    this.#underWay.add(name);
    const call = run({ ...variables, idempotencyKey });
    call.then(
      (result) => this.#settle(name, idempotencyKey, result),
      (error: unknown) => this.#settle(name, idempotencyKey, { error: error ?? true }),
    );
    // Not the promise of `then`: Apollo keeps this one from being reported as unhandled.
    return call;
  }

  /**
   * The unsettled writes of the form, but for those that this object is sending just now. Returns the same list until a
   * write is added or settled.
   */
  readonly unsettled = (): readonly UnsettledWrite[] => {
    const stored = attempt(() => Object.keys(this.#storage ?? {})) ?? [];
    const entries = [...this.#memory.keys(), ...stored].flatMap((name) => {
      const isListed = name.startsWith(this.#prefix) && !this.#underWay.has(name);
      const entry = isListed && this.#read(name);
      return entry ? [{ name, entry }] : [];
    });
    const text = JSON.stringify(entries);
    if (text !== this.#listedText) {
      this.#listedText = text;
      this.#listed = entries.map(({ name, entry: { since, next } }) => ({
        since,
        next,
        isOf: (variables) => this.#toName(variables) === name,
        forget: () => this.#remove(name),
      }));
    }
    return this.#listed;
  };

  /** Calls `listener` when the unsettled writes may have changed, in this tab or another. Returns what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    globalThis.addEventListener?.('storage', listener);
    return () => {
      listeners.delete(listener);
      globalThis.removeEventListener?.('storage', listener);
    };
  };

  #settle(name: string, key: string, result: unknown): void {
    this.#underWay.delete(name);
    const entry = this.#read(name);
    if (entry?.key !== key) return;
    const problem = hasFailed(result) ? studyProblem(result, 'mutation') : undefined;
    const isUnknown = problem?.kind === 'unknown';
    // The answer to an earlier try may still be missing, of which a refusal of this try says nothing.
    const tries = problem && saysNothing(problem) ? entry.tries - 1 : isUnknown ? entry.tries : 0;
    if (tries === 0) return this.#remove(name);
    // A reason says that the gateway refuses the key: only the answer to an earlier try could have settled the write.
    const isRepeated = problem?.requestId && (isUnknown || problem.reason);
    this.#write(name, { ...entry, tries, next: isRepeated ? 'look' : entry.next });
  }

  #toName(variables: unknown): string {
    return this.#prefix + toDigest(variables);
  }

  #read(name: string): Entry | undefined {
    const text = this.#memory.get(name) ?? attempt(() => this.#storage?.getItem(name));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this class writes these names
    const entry = attempt(() => JSON.parse(text ?? '') as Entry);
    // A clock that was set back makes an age negative.
    if (entry && Math.abs(Date.now() - entry.since) < LIFETIME_MS) return entry;
    attempt(() => this.#storage?.removeItem(name));
    return undefined;
  }

  #write(name: string, entry: Entry): Entry {
    const text = JSON.stringify(entry);
    this.#memory.set(name, text);
    attempt(() => {
      this.#storage?.setItem(name, text);
      if (this.#storage) this.#memory.delete(name);
    });
    for (const tell of listeners) tell();
    return entry;
  }

  #remove(name: string): void {
    this.#memory.delete(name);
    attempt(() => this.#storage?.removeItem(name));
    for (const tell of listeners) tell();
  }
}

/** Returns true for a result with errors, or without data: a library may hide the errors. `run` may return data alone. */
function hasFailed(result: unknown): boolean {
  if (!isRecord(result)) return false;
  const data = 'data' in result ? result.data : result;
  return (
    !!result.error ||
    !!findAnswer(toLayers(result)) ||
    !isRecord(data) ||
    !Object.values(data).some(Boolean)
  );
}

/** Returns true if the try wrote nothing, and the gateway does not hold its key: an earlier try may have written. */
export function saysNothing({ kind, code }: StudyProblem): boolean {
  return (
    kind === 'notSent' ||
    (kind === 'rejected' && /^(UNAUTHENTICATED|FORBIDDEN|RATE_LIMITED)$/.test(code))
  );
}

/** A storage may throw at every access: in private mode, when it is full, or when a policy forbids it. */
function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** 64 bits: equal for equal variables, whatever the order of their properties. The gateway refuses a key of two inputs. */
function toDigest(variables: unknown): string {
  const names: string[] = [];
  JSON.stringify(variables, (name, value: unknown) => {
    names.push(name);
    return value;
  });
  // oxlint-disable-next-line unicorn/no-array-sort -- sorts an array of its own; older browsers lack toSorted
  const text = JSON.stringify(variables, names.sort());
  let [low, high] = [0, 0];
  for (const char of text) {
    const code = Number(char.codePointAt(0));
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
  }
  return `${low}.${high}`;
}
