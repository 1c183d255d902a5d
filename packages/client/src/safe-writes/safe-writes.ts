import { Entries } from './entries.js';
import { attempt, newIdempotencyKey, toPage, warn, type WriteStorage } from './platform.js';
import { sendWrite, toUnknown, type ResponseLike, type Signal } from './send.js';
import { findEntries, settle, type Entry } from './settle.js';
import { createUnsettledWrites, type UnsettledWrites } from './unsettled-writes.js';
import { toWriteRequest, type Write } from './write.js';

type Fetch = (...args: never[]) => Promise<ResponseLike>;

/** The part of the options of `fetch` that a write has. */
interface Init {
  readonly method?: string;
  readonly headers?: object;
  readonly body?: unknown;
  readonly signal?: Signal | null;
}

interface HeadersLike {
  set(name: string, value: string): void;
}

declare const Headers: new (headers?: object) => HeadersLike;
declare const URL: new (
  url: string,
  base?: string,
) => { readonly origin: string; readonly pathname: string };

export interface SafeWritesOptions<Sender extends Fetch> {
  /** Sends the requests: `fetch`, or a function like it. */
  readonly fetch: Sender;
  /** URL of the gateway's `/graphql`. Writes to other URLs pass. */
  readonly url: string;
  /**
   * Headers of the writes, such as `authorization`: asked for before each attempt, and never stored. They replace those of
   * the library.
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
  readonly documents?: Readonly<Record<string, string>>;
}

/** What makes writes safe: pass `fetch` to a client library, and show `unsettledWrites` to the user. */
export interface SafeWrites<Sender extends Fetch> {
  readonly fetch: Sender;
  readonly unsettledWrites: UnsettledWrites;
}

/** How long other tabs take a write for one under way, in ms, before they show it. */
const SENDING_MS = 15_000;

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
  const { fetch, headers, documents } = options;
  const page = toPage();
  const url = toPlainUrl(options.url);
  const toOwner = () => attempt(() => options.owner?.()) ?? null;
  const storage = options.storage ?? attempt(() => page?.localStorage);
  const entries = new Entries(options.storage === null ? undefined : storage, url, toOwner);
  /** Number of calls of this page that are sending, by key. */
  const underWay = new Map<string, number>();
  /** Keys of the writes whose outcome is known, and whose entries other tabs still see. */
  const settled = new Set<string>();

  const begin = (entry: Entry): Entry => {
    const begun = { ...entry, open: entry.open + 1, sendingUntil: Date.now() + SENDING_MS };
    underWay.set(entry.key, (underWay.get(entry.key) ?? 0) + 1);
    entries.set(begun);
    return begun;
  };

  const end = (key: string): void => {
    const others = (underWay.get(key) ?? 1) - 1;
    if (others > 0) underWay.set(key, others);
    else underWay.delete(key);
  };

  const supersede = (studyId: string | undefined, isEqual: (entry: Entry) => boolean) => {
    const { equal, superseded } = findEntries(entries.all(), studyId, isEqual);
    for (const { key } of superseded) entries.remove(key);
    return equal;
  };

  /** Begins a write, with the key of an equal one that is not settled. */
  const claim = ({ operation, studyId, fingerprint, toBody }: Write): Promise<Entry> =>
    entries.claim(() => {
      const isEqual = ({ key, body = '' }: Entry) =>
        !settled.has(key) && toWriteRequest(body, documents)?.write?.fingerprint === fingerprint;
      const key = newIdempotencyKey();
      const entry = supersede(studyId, isEqual) ?? {
        key,
        url,
        owner: toOwner(),
        operation,
        studyId,
        body: toBody(key),
        since: Date.now(),
        open: 0,
        sendingUntil: 0,
        next: 'sendAgain',
      };
      return begin(entry);
    });

  /** Sends a begun write to its end. Other headers and options are those of `init`. */
  const send = async (entry: Entry, input: unknown, init: Init): Promise<ResponseLike> => {
    const { key, body, owner } = entry;
    const prepare = async () => {
      const own = headers && Object.entries(await headers());
      if (init.signal?.aborted) throw toAbort(init.signal);
      if (toOwner() !== owner) throw new Error('The page has another user now.');
      if (!entries.get(key)) throw new Error('A newer write has replaced this one.');
      const all = own && new Headers(init.headers);
      for (const [name, value] of own ?? []) all?.set(name, value);
      const request = { ...init, body, ...(all && { headers: all }) };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arguments are those of `fetch`
      return () => fetch(...([input, request] as never[]));
    };
    const sent = await sendWrite(prepare, init.signal);
    const ending = entries.change(() => {
      end(key);
      settled.delete(key);
      const known = entries.get(key);
      const after = known && settle(known, sent.verdict);
      if (after) entries.set(after);
      // An entry that is not visible belongs to another user by now, who must not lose it to a lost answer.
      else if (known || sent.verdict === 'known') entries.remove(key);
      return after?.open ?? 0;
    });
    if (sent.verdict === 'known') {
      settled.add(key);
      return sent.end();
    }
    const left = await ending;
    const isDoubtful = sent.verdict === 'lost' || (sent.verdict === 'nothing' && left > 0);
    return isDoubtful ? toUnknown(sent) : sent.end();
  };

  const safeFetch = async (input: unknown, init: Init = {}): Promise<ResponseLike> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arguments are those of `fetch`
    const pass = () => fetch(...([input, init] as never[]));
    const isPost = init.method?.toUpperCase() === 'POST' && toPlainUrl(String(input)) === url;
    if (!page || !isPost || typeof init.body !== 'string') return pass();
    const request = toWriteRequest(init.body, documents);
    if (request?.warning) warn(request.warning);
    const { write, studyId } = request ?? {};
    if (write && write.key === undefined) return send(await claim(write), input, init);
    if (studyId !== undefined)
      await entries.change(() => supersede(studyId, ({ key }) => key === write?.key));
    return pass();
  };

  const again = async (key: string, toEntry: (entry: Entry) => Entry): Promise<unknown> => {
    const entry = await entries.claim(() => {
      const known = entries.get(key);
      if (!known?.body) throw new Error('This write is settled, replaced, expired or forgotten.');
      return begin(toEntry(known));
    });
    const accept = 'application/graphql-response+json, application/json;q=0.9';
    const init = { method: 'POST', headers: { accept, 'content-type': 'application/json' } };
    const response = await send(entry, options.url, init);
    return JSON.parse(await response.clone().text());
  };

  const unsettledWrites = createUnsettledWrites({
    entries,
    documents,
    isHidden: (key) => underWay.has(key) || settled.has(key),
    sendAgain: (key) => again(key, (entry) => entry),
    sendAsNew: (key) =>
      again(key, (entry) => {
        entries.remove(key);
        if (entry.studyId !== undefined) supersede(entry.studyId, () => false);
        const fresh = newIdempotencyKey();
        const body = toWriteRequest(entry.body ?? '', documents)?.write?.toBody(fresh);
        if (body === undefined) throw new Error('The document of this write is not known.');
        return {
          ...entry,
          key: fresh,
          body,
          since: Date.now(),
          open: 0,
          next: 'sendAgain',
          isOnlyCopy: true,
        };
      }),
  });
  // A page that closes sends nothing more: the next page shows the write at once.
  page?.addEventListener?.('pagehide', () => {
    for (const key of settled) entries.remove(key);
    for (const key of underWay.keys()) {
      const entry = entries.get(key);
      if (entry) entries.set({ ...entry, sendingUntil: 0 });
    }
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- takes and returns what `fetch` does
  return { fetch: safeFetch as unknown as Sender, unsettledWrites };
}

function toAbort(signal: Signal): unknown {
  return signal.reason ?? Object.assign(new Error('Aborted.'), { name: 'AbortError' });
}

/** The URL without query, by which two addresses of one gateway are equal. */
function toPlainUrl(text: string): string {
  const parsed = attempt(() => new URL(text, toPage()?.location?.href));
  return parsed ? parsed.origin + parsed.pathname : text;
}
