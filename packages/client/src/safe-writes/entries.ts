import { parseJson } from '../answer.js';
import { attempt, newIdempotencyKey, sleep, toPage, type WriteStorage } from './platform.js';
import type { Write, WriteName } from './write.js';

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
  /** True if an attempt before the last one may have written: then no attempt that wrote nothing settles the write. */
  readonly isDoubtful: boolean;
  /** Until this time a page may be sending the write, and none shows it, in ms since 1970. */
  readonly sendingUntil: number;
  /**
   * What may settle the write. `sendAgain`: no answer came. `look`: the gateway answered `UNKNOWN`, and repeats that; read
   * whether the change was made.
   */
  readonly next: 'sendAgain' | 'look';
}

/** An entry of a write that is not sent yet. */
export type NewEntry = Omit<Entry, 'isDoubtful' | 'sendingUntil'>;

/** How long the input of a write stays in the browser. The gateway keeps keys for 48 hours. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Browsers copy a change of local storage to other tabs within this time, in ms: in Chromium, seldom more than 20. */
const COPY_MS = 100;

/** How often a page looks for entries that have expired, or that a tab has left without closing, in ms. */
const LOOK_MS = 15_000;

const toName = (key: string) => `study-gateway:write:${key}`;

/** The entries of unsettled writes, in a storage that all tabs share, and in memory where there is none. */
export class Entries {
  /** Entries that the storage did not take, by name. */
  readonly #memory = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  /** Resolves when this page gets the lock that it waits for. */
  #turn: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param toOwner returns `null` if nobody is known to own the page: then entries stay in memory */
  constructor(
    private readonly storage: WriteStorage | undefined,
    private readonly url: string,
    private readonly toOwner: () => string | null,
  ) {
    toPage()?.addEventListener?.('storage', () => this.#notify());
    this.#notify();
  }

  /** The entries of an owner and this URL, oldest first. An entry that is older than 24 hours has lost its body. */
  all(owner = this.toOwner()): readonly Entry[] {
    const stored = attempt(() => Object.keys(this.storage ?? {})) ?? [];
    const names = [...stored.filter((name) => name.startsWith(toName(''))), ...this.#memory.keys()];
    return (
      [...new Set(names)]
        .flatMap((name) => this.#read(name) ?? [])
        .filter((entry) => entry.url === this.url && entry.owner === owner)
        // oxlint-disable-next-line unicorn/no-array-sort -- `toSorted` is not in ES2022
        .sort((a, b) => a.since - b.since)
    );
  }

  /** Makes an entry with a new key, later than any other. */
  create({ operation, studyId, withKey }: Write, owner = this.toOwner()): NewEntry {
    const key = newIdempotencyKey();
    const since = Math.max(Date.now(), ...this.all(owner).map((other) => other.since + 1));
    const body = withKey(key);
    return { key, url: this.url, owner, operation, studyId, body, since, next: 'sendAgain' };
  }

  get(key: string): Entry | undefined {
    return this.#read(toName(key));
  }

  isStored(key: string): boolean {
    return !this.#memory.has(toName(key));
  }

  /** Whether the write must not be sent any more: a newer edit of its study has removed it, or would be overwritten. */
  isReplaced({ key, owner, studyId, since }: Entry): boolean {
    const isNewer = (other: Entry) => other.studyId === studyId && other.since > since;
    return studyId !== undefined && (!this.get(key) || this.all(owner).some(isNewer));
  }

  set(entry: Entry): void {
    const name = toName(entry.key);
    this.#memory.set(name, entry);
    if (this.storage && entry.owner !== null)
      attempt(() => {
        this.storage?.setItem(name, JSON.stringify(entry));
        this.#memory.delete(name);
      });
    this.#notify();
  }

  remove(key: string): void {
    this.#memory.delete(toName(key));
    attempt(() => this.storage?.removeItem(toName(key)));
    this.#notify();
  }

  /** Removes the edits of a study that are older than `since`, so that no tab sends them any more. */
  removeEdits(studyId: string | undefined, since = Infinity, owner = this.toOwner()): void {
    for (const entry of studyId === undefined ? [] : this.all(owner))
      if (entry.studyId === studyId && entry.since < since) this.remove(entry.key);
  }

  /**
   * Changes entries while no other tab does; at once where there are no Web Locks, or no storage to share. The lock is kept
   * until the next tab can see the change. All actions that wait for it share it, and run in the order of all tabs: an
   * answer does not remove an entry before a tab that asked earlier has found it.
   */
  async locked<Result>(action: () => Result): Promise<Result> {
    await (this.#turn ??= new Promise((resolve) => {
      const start = () => {
        this.#turn = undefined;
        resolve();
      };
      const keep = async () => {
        start();
        await sleep(COPY_MS);
      };
      const locks = this.storage && toPage()?.navigator?.locks;
      // A page without an origin of its own, in a sandbox for example, gets no lock.
      if (locks) locks.request('study-gateway:writes', keep).catch(start);
      else start();
    }));
    return action();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    const hasEntries = this.all().length > 0;
    clearTimeout(this.#timer);
    if (hasEntries) this.#timer = setTimeout(() => this.#notify(), LOOK_MS);
    for (const tell of this.#listeners) tell();
  }

  #read(name: string): Entry | undefined {
    const text = attempt(() => this.storage?.getItem(name)) ?? '';
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this class writes these names
    const entry = this.#memory.get(name) ?? (parseJson(text) as Entry | undefined);
    // A clock that was set back makes an age negative.
    if (!entry?.body || Math.abs(Date.now() - entry.since) < LIFETIME_MS) return entry;
    const expired = { ...entry, body: undefined };
    this.set(expired);
    return expired;
  }
}
