import { isRecord, parseJson } from '../answer.js';
import { attempt, sleep, toPage, type WriteStorage } from './platform.js';
import type { WriteName } from './write.js';

/** A write whose outcome is not known, as the storage keeps it. */
export interface Entry {
  readonly key: string;
  readonly url: string;
  readonly owner: string | null;
  readonly operation: WriteName;
  /** Id of the edited study, in lower case. */
  readonly studyId?: string | undefined;
  /** Body of the request, with document, variables and key; `undefined` after 24 hours. */
  readonly body?: string | undefined;
  /** Time of the first attempt, in ms since 1970; of two edits of one study, the newer one has a later time. */
  readonly since: number;
  /** Number of attempts that may have written, those under way included. */
  readonly open: number;
  /** Until this time another page may be sending the write, in ms since 1970. */
  readonly sendingUntil: number;
  readonly next: 'sendAgain' | 'look';
}

/** How long the input of a write stays in the browser. The gateway keeps keys for 48 hours. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Browsers copy a change of local storage to other tabs within this time, in ms: in Chromium, seldom more than 20. */
const COPY_MS = 100;

/** How often the listeners look for entries that have expired, or that a tab has left without closing, in ms. */
const LOOK_MS = 15_000;

const PREFIX = 'study-gateway:write:';

/** The entries of unsettled writes, in a storage that all tabs share, and in memory where there is none. */
export class Entries {
  /** Entries that the storage did not take, by key. */
  readonly #memory = new Map<string, Entry>();
  /** Keys of the writes that must not be sent any more. */
  readonly #ended = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Claims that wait for the lock. */
  readonly #claims: (() => void)[] = [];

  /** @param toOwner returns `null` if nobody is known to own the page: then entries stay in memory */
  constructor(
    private readonly storage: WriteStorage | undefined,
    private readonly url: string,
    private readonly toOwner: () => string | null,
  ) {
    toPage()?.addEventListener?.('storage', ({ key, newValue }) => {
      if (key && newValue === '') this.#ended.add(key.slice(PREFIX.length));
      if (!key || key.startsWith(PREFIX)) this.#notify();
    });
    this.#look();
  }

  /** The entries of an owner and this URL, oldest first. An entry that is older than 24 hours has lost its body. */
  all(owner = this.toOwner()): readonly Entry[] {
    const names = attempt(() => Object.keys(this.storage ?? {})) ?? [];
    const keys = names.flatMap((name) =>
      name.startsWith(PREFIX) ? name.slice(PREFIX.length) : [],
    );
    return (
      [...new Set([...keys, ...this.#memory.keys()])]
        .flatMap((key) => this.#read(key) ?? [])
        .filter((entry) => entry.url === this.url && entry.owner === owner)
        // oxlint-disable-next-line unicorn/no-array-sort -- `toSorted` is not in ES2022
        .sort((a, b) => a.since - b.since)
    );
  }

  get(key: string): Entry | undefined {
    return this.all().find((entry) => entry.key === key);
  }

  isStored(key: string): boolean {
    return !this.#memory.has(key);
  }

  /** Whether the write must not be sent any more: it has been ended, or a newer edit of its study would be overwritten. */
  isReplaced({ key, owner, studyId, since }: Entry): boolean {
    const isNewer = (other: Entry) => other.studyId === studyId && other.since > since;
    return this.#ended.has(key) || (studyId !== undefined && this.all(owner).some(isNewer));
  }

  set(entry: Entry): void {
    this.#memory.set(entry.key, entry);
    if (this.storage && entry.owner !== null)
      attempt(() => {
        this.storage?.setItem(PREFIX + entry.key, JSON.stringify(entry));
        this.#memory.delete(entry.key);
      });
    this.#notify();
  }

  remove(key: string): void {
    this.#memory.delete(key);
    attempt(() => this.storage?.removeItem(PREFIX + key));
    this.#notify();
  }

  /** Removes an entry, so that no tab sends its write any more: an empty item tells the others. */
  end(key: string): void {
    this.#ended.add(key);
    attempt(() => this.storage?.setItem(PREFIX + key, ''));
    this.remove(key);
  }

  /** Ends the edits of a study that are older than `since`. */
  endEdits(studyId: string | undefined, since = Infinity, owner = this.toOwner()): void {
    for (const entry of studyId === undefined ? [] : this.all(owner))
      if (entry.studyId === studyId && entry.since < since) this.end(entry.key);
  }

  /** Changes entries while no other tab does, behind all claims that came before. The action must not throw. */
  change<Result>(action: () => Result): Promise<Result> {
    return this.#locked(async () => action());
  }

  /** Adds an entry, or finds one, while no other tab does. The lock is kept until the next tab can see what was added. */
  claim<Result>(action: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#claims.push(() => {
        try {
          resolve(action());
        } catch (error) {
          reject(error);
        }
      });
      if (this.#claims.length > 1) return;
      void this.#locked(async (isShared) => {
        for (const run of this.#claims.splice(0)) run();
        if (isShared) await sleep(COPY_MS);
      });
    });
  }

  /** Runs `action` when no other tab does; at once where there are no Web Locks, or no storage to share. */
  #locked<Result>(action: (isShared: boolean) => Promise<Result>): Promise<Result> {
    const locks = this.storage && toPage()?.navigator?.locks;
    if (!locks) return action(false);
    // A page without an origin of its own, in a sandbox for example, gets no lock.
    return locks.request('study-gateway:writes', () => action(true)).catch(() => action(false));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    this.#look();
    for (const tell of this.#listeners) tell();
  }

  #look(): void {
    clearTimeout(this.#timer);
    if (this.all().length > 0) this.#timer = setTimeout(() => this.#notify(), LOOK_MS);
  }

  #read(key: string): Entry | undefined {
    const entry =
      this.#memory.get(key) ?? toEntry(attempt(() => this.storage?.getItem(PREFIX + key)));
    // A clock that was set back makes an age negative.
    if (!entry?.body || Math.abs(Date.now() - entry.since) < LIFETIME_MS) return entry;
    const expired = { ...entry, body: undefined };
    this.set(expired);
    return expired;
  }
}

function toEntry(text: string | null | undefined): Entry | undefined {
  const entry = parseJson(text ?? '');
  const isEntry = isRecord(entry) && typeof entry.key === 'string' && typeof entry.url === 'string';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this class writes these names
  return isEntry ? (entry as unknown as Entry) : undefined;
}
