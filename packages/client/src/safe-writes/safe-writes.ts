import { Entries, type Entry, type NewEntry } from './entries.js';
import { attempt, toPage, warn, type WriteStorage } from './platform.js';
import { sendWrite, type Sent } from './send.js';
import { createUnsettledWrites, type UnsettledWrites } from './unsettled-writes.js';
import { mentionsWrite, toWrite, type Documents, type Write } from './write.js';

export interface SafeWritesOptions {
  /** Sends the requests: `fetch`, or a function like it. */
  readonly fetch: typeof fetch;
  /** URL of the gateway's `/graphql`. Writes to other URLs pass. */
  readonly url: string;
  /**
   * Headers of the writes that get a key, such as `authorization`: asked for before each attempt, and never stored. They
   * replace those of the library, which adds its own to everything else.
   */
  readonly headers?: () =>
    Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * Names the user of the page, who alone gets the writes of this name to see and to send. Without it, or while it
   * returns nothing, unsettled writes are kept in memory, for this page only.
   */
  readonly owner?: () => string | null | undefined;
  /** Where unsettled writes are kept for 24 hours. Default: `localStorage`; `null` keeps them in memory. */
  readonly storage?: WriteStorage | null;
  /** Texts of trusted documents by their ids, for bodies without `query`. */
  readonly documents?: Documents;
}

/** What makes writes safe: pass `fetch` to a client library, and show `unsettledWrites` to the user. */
export interface SafeWrites {
  readonly fetch: typeof fetch;
  readonly unsettledWrites: UnsettledWrites;
}

/** How long tabs take a write for one under way, in ms, before they show it. */
const SENDING_MS = 15_000;

/**
 * Wraps `fetch` so that `createStudy` and `editStudy` are written once. A write gets an idempotency key and an entry in the
 * storage before it is sent; an equal write gets the key of that entry until the outcome is known; a connection that fails
 * is tried four times in 7 s. What stays unknown, even after a reload, is in `unsettledWrites`, for the user to decide.
 */
export function safeWrites(options: SafeWritesOptions): SafeWrites {
  const { fetch, headers, documents } = options;
  const page = toPage();
  const url = toPlainUrl(options.url);
  const toOwner = () => attempt(() => options.owner?.()) ?? null;
  const storage = options.storage ?? attempt(() => page?.localStorage);
  const entries = new Entries(options.storage === null ? undefined : storage, url, toOwner);
  /** The entries that this page is sending, one for each call. */
  const underWay = new Set<Entry>();
  const isUnderWay = (key: string) => [...underWay].some((entry) => entry.key === key);

  const begin = (entry: NewEntry, isDoubtful: boolean): Entry => {
    const begun = { ...entry, isDoubtful, sendingUntil: Date.now() + SENDING_MS };
    underWay.add(begun);
    entries.set(begun);
    return begun;
  };

  /** Returns the unsettled write that lends its key: an equal one. Of several edits of one study only the newest does. */
  const findEqual = ({ fingerprint }: Write): Entry | undefined =>
    entries.all().find((entry) => {
      const known = toWrite(entry.body ?? '', documents);
      return known?.fingerprint === fingerprint && !entries.isReplaced(entry);
    });

  const claim = async (write: Write): Promise<Entry> => {
    const known = findEqual(write);
    // The second click must not wait for the lock: the answer to the first one could be there before.
    if (known && isUnderWay(known.key)) return begin(known, true);
    return entries.locked(() => {
      const equal = findEqual(write);
      return begin(equal ?? entries.create(write), equal !== undefined);
    });
  };

  /** Changes the entry of a write as its last attempt shows. Returns whether an earlier attempt may have written. */
  const settle = (entry: Entry, { verdict }: Sent): boolean => {
    const { key, owner, studyId, since } = entry;
    underWay.delete(entry);
    // Older edits would overwrite what was made. One that was refused leaves them to the user.
    if (verdict === 'made') entries.removeEdits(studyId, since, owner);
    const known = entries.get(key);
    const isSettled = verdict === 'made' || verdict === 'refused';
    const isOver = isSettled || (verdict === 'nothing' && !(known ?? entry).isDoubtful);
    if (isOver) entries.remove(key);
    // The storage of a create may have been cleared. A newer edit has removed this one.
    else if (known || studyId === undefined)
      entries.set({
        ...(known ?? entry),
        isDoubtful: true,
        ...(verdict === 'unknown' && { next: 'look' }),
        ...(!isUnderWay(key) && { sendingUntil: 0 }),
      });
    return !isOver;
  };

  /** Sends a begun write to its end. Other headers and options are those of `init`. */
  const send = async (
    entry: Entry,
    input: Parameters<typeof fetch>[0],
    init: RequestInit,
  ): Promise<Response> => {
    const { key, body = null, owner } = entry;
    const prepare = async () => {
      const own = headers && Object.entries(await headers());
      if (init.signal?.aborted) throw Object.assign(new Error('Aborted.'), { name: 'AbortError' });
      if (toOwner() !== owner) throw new Error('The page has another user now.');
      if (entries.isReplaced(entry)) throw new Error('A newer edit has replaced this one.');
      // The storage has been cleared, or an equal create is settled: the key still writes once.
      if (!entries.get(key)) entries.set(entry);
      const all = new Headers(init.headers);
      for (const [name, value] of own ?? []) all.set(name, value);
      return () => fetch(input, { ...init, body, headers: all });
    };
    const sent = await sendWrite(prepare, init.signal, entry.sendingUntil);
    const isLeft = await entries.locked(() => settle(entry, sent));
    return sent.end(isLeft);
  };

  const safeFetch: typeof fetch = async (input, init = {}) => {
    const request = input instanceof Request ? input : { url: String(input), method: init.method };
    const isPost = request.method?.toUpperCase() === 'POST' && toPlainUrl(request.url) === url;
    if (!page || !isPost) return fetch(input, init);
    const text = typeof init.body === 'string' ? init.body : undefined;
    const write = text === undefined ? undefined : toWrite(text, documents);
    if (write && !write.hasKey && write.withKey('') !== undefined)
      return send(await claim(write), input, init);
    if (!write?.hasKey && (text === undefined || mentionsWrite(text)))
      warn('A request passes without an idempotency key: see “What gets a key” in the README.');
    if (write) await entries.locked(() => entries.removeEdits(write.studyId));
    return fetch(input, init);
  };

  // A page that closes sends nothing more: the next page shows the write at once.
  page?.addEventListener?.('pagehide', () => {
    for (const { key } of underWay) {
      const entry = entries.get(key);
      if (entry) entries.set({ ...entry, sendingUntil: 0 });
    }
  });
  const unsettledWrites = createUnsettledWrites(entries, documents, async (toNext) => {
    const entry = await entries.locked(() => {
      const next = toNext();
      if (!next) throw Object.assign(new Error('It is settled.'), { name: 'AbortError' });
      // What a new key sends is the only copy of the input: an attempt that writes nothing must leave it.
      return begin(next, true);
    });
    const accept = 'application/graphql-response+json, application/json;q=0.9';
    const sent = { method: 'POST', headers: { accept, 'content-type': 'application/json' } };
    return send(entry, options.url, sent);
  });
  return { fetch: safeFetch, unsettledWrites };
}

/** The URL without query, by which two addresses of one gateway are equal. */
function toPlainUrl(text: string): string {
  const parsed = attempt(() => new URL(text, toPage()?.location?.href));
  return parsed ? parsed.origin + parsed.pathname : text;
}
