import type { Reading } from './answer.js';
import type { AnswerBytes, JsonObject } from './call.js';
import type { CircuitBreakerState } from './circuit.js';
import { Exchange } from './exchange.js';
import type { Keys } from './keys.js';
import { Ledger, type Entry, type ReadMore } from './ledger.js';
import { createPool, type Proxies } from './pool.js';
import { Resilience, type Bulkhead, type ResilienceOptions } from './resilience.js';

/** Returns the credentials and other headers of a call: a new object. When it fails, the call is `NOT_SENT`. */
export type ToHeaders<Context> = (
  call: Pick<Entry, 'method' | 'path' | 'isWrite'>,
  context: Context,
) => Entry['headers'] | Promise<Entry['headers']>;

/**
 * Called when a call begins, with headers to which it may add. Returns a function that is called when the call has ended, with
 * its error; the entry then has its attempts. Must not throw.
 */
export type OnCall<Context> = (
  entry: Entry,
  context: Context,
) => ((error: unknown) => void) | undefined;

/** Every option but `baseUrl` has a default. */
export interface ClientOptions<Context> extends Partial<ResilienceOptions>, Partial<Reading> {
  /** Base URL of the API. May have a path, with or without a trailing slash: `https://api.example.com/api/v1`. */
  readonly baseUrl: URL | string;
  /** Timeout for making one connection, which leaves the deadline time for retries. Default: 2 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** Proxies to make connections through. Default: none. */
  readonly proxies?: Proxies | undefined;
  /** Default: no headers of your own. */
  readonly headers?: ToHeaders<Context> | undefined;
  /** The keys of writes that must not be sent twice: `idempotent(store)`. Default: a key is only sent to the API. */
  readonly keys?: Keys<Context> | undefined;
  /** Listeners to every call; `undefined` is a listener that is off. */
  readonly onCall?: readonly (OnCall<Context> | undefined)[] | undefined;
  /** Maximum size of an answer. Default: 4 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Name of the header for idempotency keys. Default: `idempotency-key`. */
  readonly keyHeader?: string | undefined;
}

export type Client<Context = unknown> = ReturnType<typeof createClient<Context>>;

/** Creates a client that never sends a write again of which a byte may have been sent, and never follows a redirect. */
export function createClient<Context = unknown>(options: ClientOptions<Context>) {
  const { keys, keyHeader = 'idempotency-key', proxies } = options;
  const toHeaders: ToHeaders<Context> = options.headers ?? (() => ({}));
  const { deadlineMs = 10_000, maxCalls = 256, maxQueue = 256, parse = JSON.parse } = options;
  const { maxAnswerBytes: maxBytes = 4_194_304, connectTimeoutMs = 2_000 } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const pool = createPool(origin, maxCalls, connectTimeoutMs, proxies);
  let isAborted = false;
  const reading = { ...options, parse, deadlineMs, maxBytes };
  const resilience = new Resilience(
    { ...options, deadlineMs, maxCalls, maxQueue },
    () => !isAborted,
  );

  /** Sends one attempt, which settles the entry with what it proves. */
  function sendOnce(entry: Entry, leftMs: number): Promise<JsonObject> {
    const path = basePath + entry.path;
    const attempt = entry.start(origin, path);
    const { method, headers, body = null, key } = entry;
    headers['accept'] ??= 'application/json';
    headers['accept-encoding'] ??= 'identity';
    if (body !== null) headers['content-type'] ??= 'application/json';
    if (key !== undefined) headers[keyHeader] = key;
    const exchange = new Exchange(entry, attempt, leftMs, reading);
    pool.dispatch({ origin, method, path, headers, body }, exchange);
    return exchange.result;
  }

  const onCall = (options.onCall ?? []).filter((listener) => listener !== undefined);

  /** The levels of a call, in order: ledger.ts, keys.ts if it has a key, resilience.ts, exchange.ts, answer.ts. */
  async function sendCall(entry: Entry, context: Context, read: ReadMore): Promise<JsonObject> {
    try {
      entry.headers = await toHeaders(entry, context);
    } catch (error) {
      entry.outcome = 'NOT_SENT';
      throw error;
    }
    entry.deadlineAt = Math.min(entry.deadlineAt, performance.now() + deadlineMs);
    const ends = onCall.map((begin) => begin(entry, context));
    let failure: unknown;
    try {
      const send = (): Promise<JsonObject> => resilience.run(entry, sendOnce);
      const isKeyed = keys !== undefined && entry.key !== undefined;
      return await (isKeyed ? keys.send({ entry, context, send, read }) : send());
    } catch (error) {
      failure = error;
      entry.endUnattempted(error);
      throw error;
    } finally {
      for (const end of ends) end?.(failure);
    }
  }

  return {
    /**
     * Opens the ledger of an operation: only a ledger can send calls that may change something.
     *
     * @param context data that the headers, keys and listeners of the client need
     * @param answerBytes counts the bytes of the operation's answers. Default: nothing counts them
     */
    openLedger: (context: Context, answerBytes?: AnswerBytes): Ledger =>
      new Ledger((entry, read) => sendCall(entry, context, read), answerBytes),
    /** Ends the calls under way, each with its outcome as far as it is seen. Later calls are `NOT_SENT`. */
    abort(): void {
      isAborted = true;
      void pool.destroy();
    },
    /** Waits for the calls under way, closes every connection, and then the store of keys. */
    async close(): Promise<void> {
      if (!isAborted) await pool.close();
      await keys?.close();
    },
    get circuit(): CircuitBreakerState {
      return resilience.circuit.state;
    },
    /** Number of calls under way, and of calls in the queue. */
    get usage(): Pick<Bulkhead, 'running' | 'queued'> {
      return resilience.bulkhead;
    },
  };
}
