import { isRecord, parseJson } from '../answer.js';
import { studyProblem } from '../study-problem.js';
import { Entries, type Entry } from './entries.js';
import { attempt, newIdempotencyKey, toPage, warn, type WriteStorage } from './platform.js';
import { sendWrite, toUnknown, type Verdict } from './send.js';
import { createUnsettledWrites, type UnsettledWrites } from './unsettled-writes.js';
import { mentionsWrite, toWrite, type Documents, type Write } from './write.js';

type Fetch = (...args: never[]) => Promise<object>;

export interface SafeWritesOptions<Sender extends Fetch> {
  /** Sends the requests: `fetch`, or a function like it. */
  readonly fetch: Sender;
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
export interface SafeWrites<Sender extends Fetch> {
  readonly fetch: Sender;
  readonly unsettledWrites: UnsettledWrites;
}

/** How long other tabs take a write for one under way, in ms, before they show it. */
const SENDING_MS = 15_000;

/** What an attempt leaves of its entry: the number of attempts that may have written. */
const openAfter: Readonly<Record<Verdict, (open: number) => number>> = {
  // The gateway has told what became of the key, whichever attempt wrote.
  made: () => 0,
  refused: () => 0,
  // Says nothing about earlier attempts.
  nothing: (open) => open - 1,
  unknown: (open) => open,
  lost: (open) => open,
};

/**
 * Wraps `fetch` so that `createStudy` and `editStudy` are written once. A write gets an idempotency key and an entry in the
 * storage before it is sent; an equal write gets the key of that entry until the outcome is known; a connection that fails
 * is tried four times in 7 s. What stays unknown, even after a reload, is in `unsettledWrites`, for the user to decide.
 *
 * ```ts
 * const { fetch: safeFetch, unsettledWrites } = safeWrites({ fetch, url, headers, owner });
 * new HttpLink({ uri: url, fetch: safeFetch });
 * ```
 */
export function safeWrites<Sender extends Fetch>(
  options: SafeWritesOptions<Sender>,
): SafeWrites<Sender> {
  const { headers, documents } = options;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is called as client libraries call `fetch`
  const fetch = options.fetch as unknown as typeof globalThis.fetch;
  const page = toPage();
  const url = toPlainUrl(options.url);
  const toOwner = () => attempt(() => options.owner?.()) ?? null;
  const storage = options.storage ?? attempt(() => page?.localStorage);
  const entries = new Entries(options.storage === null ? undefined : storage, url, toOwner);
  /** Number of calls of this page that are sending, by key. */
  const underWay = new Map<string, number>();

  const begin = (entry: Entry): Entry => {
    const begun = { ...entry, open: entry.open + 1, sendingUntil: Date.now() + SENDING_MS };
    underWay.set(entry.key, (underWay.get(entry.key) ?? 0) + 1);
    entries.set(begun);
    return begun;
  };

  const leave = (key: string): void => {
    const others = (underWay.get(key) ?? 1) - 1;
    if (others > 0) underWay.set(key, others);
    else underWay.delete(key);
  };

  /** Begins a write, with the key of an equal one that is not settled. */
  const claim = async ({ operation, studyId, fingerprint, withKey }: Write): Promise<Entry> => {
    const isEqual = ({ body = '' }: Entry) => toWrite(body, documents)?.fingerprint === fingerprint;
    const find = () => {
      const edits = entries.all().filter((entry) => entry.studyId === studyId);
      // Of several edits of one study only the newest lends its key.
      const candidates = studyId === undefined ? edits : edits.slice(-1);
      return { equal: candidates.find(isEqual), newest: edits.at(-1) };
    };
    // The second click must not wait for the lock: the answer to the first one could be there before.
    const { equal } = find();
    if (equal && underWay.has(equal.key)) return begin(equal);
    return entries.claim(() => {
      const { equal: found, newest } = find();
      const key = newIdempotencyKey();
      return begin(
        found ?? {
          key,
          url,
          owner: toOwner(),
          operation,
          studyId,
          body: withKey(key),
          since: Math.max(Date.now(), (newest?.since ?? 0) + 1),
          open: 0,
          sendingUntil: 0,
          next: 'sendAgain',
        },
      );
    });
  };

  /** Changes the entry of a write as its last attempt shows. Returns the number of attempts that may have written. */
  const settle = (entry: Entry, verdict: Verdict): number => {
    const { key, owner, studyId, since } = entry;
    const isKnown = verdict === 'made' || verdict === 'refused';
    leave(key);
    // Older edits would overwrite what was made. One that was refused leaves them to the user.
    if (verdict === 'made') entries.endEdits(studyId, since, owner);
    // An entry that is not visible belongs to another user by now, or has been cleared with the storage.
    const isLost = toOwner() === owner && !entries.isReplaced(entry);
    const known = entries.get(key) ?? (isLost ? entry : undefined);
    const open = Math.max(openAfter[verdict](known?.open ?? 0), 0);
    if (isKnown || (known && open === 0)) entries.remove(key);
    else if (known) {
      const next = verdict === 'unknown' ? 'look' : known.next;
      entries.set({ ...known, open, next, sendingUntil: 0 });
    }
    return open;
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
      // React Native has neither `reason` nor `throwIfAborted`.
      if (init.signal?.aborted) throw init.signal.reason ?? toAbort('Aborted.');
      if (toOwner() !== owner) throw new Error('The page has another user now.');
      if (entries.isReplaced(entry)) throw new Error('A newer write has replaced this one.');
      // The storage has been cleared, or an equal write is settled: the key still writes once.
      if (!entries.get(key)) entries.set(entry);
      const all = new Headers(init.headers);
      for (const [name, value] of own ?? []) all.set(name, value);
      return () => fetch(input, { ...init, body, headers: all });
    };
    const sent = await sendWrite(prepare, init.signal);
    const left = await entries.change(() => settle(entry, sent.verdict));
    const isDoubtful = sent.verdict === 'lost' || (sent.verdict === 'nothing' && left > 0);
    return isDoubtful ? toUnknown(sent) : sent.end();
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
      warn(
        'A request passes without an idempotency key. A write gets one if the body is a text with one operation, whose ' +
          'only root field takes `idempotencyKey` from a variable, and the id of a trusted document is in `documents`.',
      );
    if (write) await entries.change(() => entries.endEdits(write.studyId));
    return fetch(input, init);
  };

  /** Sends an unsettled write. Returns why that failed; `undefined` if the write is made. */
  const again = async (key: string, toNext: (entry: Entry) => Entry) => {
    try {
      const entry = await entries.claim(() => {
        const known = entries.get(key);
        if (!known?.body || entries.isReplaced(known))
          throw toAbort('This write is settled, replaced or expired.');
        return begin(toNext(known));
      });
      const accept = 'application/graphql-response+json, application/json;q=0.9';
      const init = { method: 'POST', headers: { accept, 'content-type': 'application/json' } };
      const response = await send(entry, options.url, init);
      const body = parseJson(await response.clone().text());
      const isMade = isRecord(body) && isRecord(body.data) && !body.errors;
      return isMade ? undefined : studyProblem(body, 'mutation');
    } catch (error) {
      return studyProblem(error, 'mutation');
    }
  };

  const toFresh = (entry: Entry): Entry => {
    const key = newIdempotencyKey();
    const body = toWrite(entry.body ?? '', documents)?.withKey(key);
    // The storage may be full: the new item takes the place of the old one.
    entries.end(entry.key);
    const since = Math.max(Date.now(), entry.since + 1);
    // The entry has the only copy of the input: an attempt that writes nothing must leave it.
    return { ...entry, key, body, since, open: 1, next: 'sendAgain' };
  };

  // A page that closes sends nothing more: the next page shows the write at once.
  page?.addEventListener?.('pagehide', () => {
    for (const key of underWay.keys()) {
      const entry = entries.get(key);
      if (entry) entries.set({ ...entry, sendingUntil: 0 });
    }
  });
  const unsettledWrites = createUnsettledWrites(entries, documents, (key) => underWay.has(key), {
    sendAgain: (key) => again(key, (entry) => entry),
    sendAsNew: (key) => again(key, toFresh),
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- takes and returns what `fetch` does
  return { fetch: safeFetch as unknown as Sender, unsettledWrites };
}

function toAbort(text: string): Error {
  return Object.assign(new Error(text), { name: 'AbortError' });
}

/** The URL without query, by which two addresses of one gateway are equal. */
function toPlainUrl(text: string): string {
  const parsed = attempt(() => new URL(text, toPage()?.location?.href));
  return parsed ? parsed.origin + parsed.pathname : text;
}
