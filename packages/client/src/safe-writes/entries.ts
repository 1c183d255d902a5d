import { isRecord, parse } from '../answer.js';
import { attempt, locked, sleep, toPage, type WriteStorage } from './platform.js';
import type { Entry } from './settle.js';

/** How long the input of a write stays in the browser. The gateway keeps keys for 48 hours. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Browsers copy a change of local storage to other tabs within this time, in ms: in Chromium, seldom more than 20. */
const COPY_MS = 100;

/** How long a page that adds entries all the time keeps the lock, in ms. */
const LONGEST_HOLD_MS = 500;
const STEP_MS = 25;

const LOCK = 'study-gateway:writes';

const PREFIX = 'study-gateway:write:';

declare function setTimeout(end: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** The entries of unsettled writes, in a storage that all tabs share, and in memory where there is none. */
export class Entries {
  readonly #storage: WriteStorage | undefined;
  readonly #url: string;
  readonly #toOwner: () => string | null;
  /** Entries that the storage did not take, by key. */
  readonly #memory = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #timer: unknown;
  /** Claims that wait for the lock. */
  readonly #claims: (() => void)[] = [];
  /** True while this page keeps the lock for what it has added, `#restMs` longer. */
  #isHeld = false;
  #restMs = 0;

  /** @param toOwner returns `null` if nobody is known to own the page: then entries stay in memory */
  constructor(storage: WriteStorage | undefined, url: string, toOwner: () => string | null) {
    this.#storage = storage;
    this.#url = url;
    this.#toOwner = toOwner;
    toPage()?.addEventListener?.('storage', ({ key }) => {
      if (!key || key.startsWith(PREFIX)) this.#notify();
    });
    this.#wait();
  }

  /** The entries of this owner and URL. An entry that is older than 24 hours has lost its body. */
  all(): readonly Entry[] {
    const owner = this.#toOwner();
    return this.#readAll().filter((entry) => entry.url === this.#url && entry.owner === owner);
  }

  get(key: string): Entry | undefined {
    return this.all().find((entry) => entry.key === key);
  }

  isStored({ key }: Entry): boolean {
    return !this.#memory.has(key);
  }

  set(entry: Entry): void {
    this.#memory.set(entry.key, entry);
    if (this.#storage && entry.owner !== null)
      attempt(() => {
        this.#storage?.setItem(PREFIX + entry.key, JSON.stringify(entry));
        this.#memory.delete(entry.key);
      });
    this.#notify();
  }

  remove(key: string): void {
    this.#memory.delete(key);
    attempt(() => this.#storage?.removeItem(PREFIX + key));
    this.#notify();
  }

  /** Changes entries while no other tab does, behind all claims that came before. */
  change<Result>(action: () => Result): Promise<Result> {
    return locked(LOCK, async () => action());
  }

  /**
   * Adds an entry, or finds one, while no other tab does. The page keeps the lock until the next tab can see what it has
   * added; meanwhile its own claims run at once.
   */
  claim<Result>(action: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#claims.push(() => {
        try {
          resolve(action());
        } catch (error) {
          reject(error);
        }
      });
      if (this.#isHeld) this.#runClaims();
      else if (this.#claims.length === 1) locked(LOCK, () => this.#hold()).catch(reject);
    });
  }

  async #hold(): Promise<void> {
    this.#runClaims();
    if (!this.#storage || !toPage()?.navigator?.locks) return;
    this.#isHeld = true;
    for (let ms = 0; this.#restMs > 0 && ms < LONGEST_HOLD_MS; ms += STEP_MS) {
      this.#restMs -= STEP_MS;
      await sleep(STEP_MS);
    }
    this.#isHeld = false;
  }

  #runClaims(): void {
    this.#restMs = COPY_MS;
    for (const run of this.#claims.splice(0)) run();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    this.#wait();
    for (const tell of this.#listeners) tell();
  }

  /** Tells the listeners when the next entry expires, or another page no longer sends it. */
  #wait(): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    const times = this.#readAll()
      .flatMap(({ since, sendingUntil, body }) => [sendingUntil, body ? since + LIFETIME_MS : 0])
      .filter((time) => time > now);
    if (times.length === 0) return;
    this.#timer = setTimeout(() => this.#notify(), Math.min(...times) - now);
  }

  #readAll(): readonly Entry[] {
    const names = attempt(() => Object.keys(this.#storage ?? {})) ?? [];
    const keys = names.flatMap((name) =>
      name.startsWith(PREFIX) ? name.slice(PREFIX.length) : [],
    );
    return [...new Set([...keys, ...this.#memory.keys()])].flatMap((key) => this.#read(key) ?? []);
  }

  #read(key: string): Entry | undefined {
    const entry =
      this.#memory.get(key) ?? toEntry(attempt(() => this.#storage?.getItem(PREFIX + key)));
    // A clock that was set back makes an age negative.
    if (!entry?.body || Math.abs(Date.now() - entry.since) < LIFETIME_MS) return entry;
    const expired = { ...entry, body: undefined };
    this.set(expired);
    return expired;
  }
}

function toEntry(text: string | null | undefined): Entry | undefined {
  const entry = parse(text ?? '');
  const isEntry = isRecord(entry) && typeof entry.key === 'string' && typeof entry.url === 'string';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this class writes these names
  return isEntry ? (entry as unknown as Entry) : undefined;
}
