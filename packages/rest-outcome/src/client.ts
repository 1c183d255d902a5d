import type { Reading } from './answer.js';
import type { AnswerBytes, JsonObject } from './call.js';
import type { CircuitBreakerState } from './circuit.js';
import { Exchange } from './exchange.js';
import type { Keys } from './keys.js';
import { Ledger, type Entry, type OnCall, type ToHeaders } from './ledger.js';
import { createPool, type Proxies } from './pool.js';
import { Resilience, type ResilienceOptions } from './resilience.js';

/** Every option but `baseUrl` has a default. */
export interface ClientOptions<Context> extends Partial<ResilienceOptions>, Partial<Reading> {
  /** Base URL of the API. May have a path, with or without a trailing slash: `https://api.example.com/api/v1`. */
  readonly baseUrl: URL | string;
  /** Timeout for making one connection. The time counts towards the deadline. Default: 2 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** Proxies to make connections through. Default: none. */
  readonly proxies?: Proxies | undefined;
  /** Headers of each call, or a function that returns them. Default: none of your own. */
  readonly headers?: Readonly<Entry['headers']> | ToHeaders<Context> | undefined;
  /** The keys of writes that must not be sent twice: `idempotent(store)`. Default: a key is only sent to the API. */
  readonly keys?: Keys<Context> | undefined;
  /** Listeners to every call; `undefined` is a listener that is off. */
  readonly onCall?: readonly (OnCall<Context> | undefined)[] | undefined;
  /** Maximum size of an answer. Default: 4 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Name of the header for idempotency keys. Default: `idempotency-key`. */
  readonly keyHeader?: string | undefined;
}

/** Sends calls. Never sends a write again of which a byte may have been sent, and never follows a redirect. */
export interface Client<Context = unknown> {
  /**
   * Begins an operation: only its ledger can send calls that may change something.
   *
   * @param context data that the headers, keys and listeners of the client need
   * @param answerBytes counts the bytes of the operation's answers. Default: nothing counts them
   */
  begin(context: Context, answerBytes?: AnswerBytes): Ledger<Context>;
  /** Ends the calls under way, each with its outcome as far as it is seen. Later calls are `NOT_SENT`. */
  abort(): void;
  /** Waits for the calls under way, closes every connection, and then the store of keys. */
  close(): Promise<void>;
  /** State of the circuit breaker. */
  readonly circuit: CircuitBreakerState;
  /** Number of calls under way, of calls in the queue, of open connections, and of idle ones among them. */
  readonly usage: Readonly<
    Record<'running' | 'queued' | 'connections' | 'idleConnections', number>
  >;
}

/** Retries need time before the deadline, and a reachable API accepts in far less. */
const CONNECT_TIMEOUT_MS = 2_000;

export function createClient<Context = unknown>(options: ClientOptions<Context>): Client<Context> {
  const { headers: given = {}, keys, keyHeader = 'idempotency-key', proxies } = options;
  const { deadlineMs = 10_000, maxCalls = 256, maxQueue = 256 } = options;
  const { maxAnswerBytes: maxBytes = 4_194_304, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const pool = createPool(origin, maxCalls, connectTimeoutMs, proxies);
  let isAborted = false;
  const { parse = JSON.parse } = options;
  const reading = { ...options, parse, deadlineMs, maxBytes };
  const limits = { ...options, deadlineMs, maxCalls, maxQueue };
  const resilience = new Resilience(limits, () => !isAborted);

  /** Sends one attempt, which settles the line of the call with what it proves. */
  function sendOnce(call: Entry, leftMs: number): Promise<JsonObject> {
    const path = basePath + call.path;
    const attempt = call.start(origin, path);
    const { method, headers, body = null, key } = call;
    headers['accept'] ??= 'application/json';
    headers['accept-encoding'] ??= 'identity';
    if (body !== null) headers['content-type'] ??= 'application/json';
    if (key !== undefined) headers[keyHeader] = key;
    const exchange = new Exchange(call, attempt, leftMs, reading);
    pool.agent.dispatch({ origin, method, path, headers, body }, exchange);
    return exchange.result;
  }

  const onCall = (options.onCall ?? []).filter((listener) => listener !== undefined);
  const sender: ConstructorParameters<typeof Ledger<Context>>[0] = {
    toHeaders: typeof given === 'function' ? given : () => ({ ...given }),
    beginCall: (entry, context) => onCall.map((begin) => begin(entry, context)),
    send(entry, context, read) {
      const send = (): Promise<JsonObject> => resilience.run(entry, sendOnce);
      if (!keys || entry.key === undefined) return send();
      return keys.send({ entry, context, deadlineMs, send, read });
    },
  };
  return {
    begin: (context, answerBytes) => new Ledger(sender, context, answerBytes),
    abort() {
      isAborted = true;
      void pool.agent.destroy();
    },
    async close() {
      if (!isAborted) await pool.agent.close();
      await keys?.close();
    },
    get circuit() {
      return resilience.circuit.state;
    },
    get usage() {
      const { running, queued } = resilience.bulkhead;
      const { connected, free } = pool.stats;
      return { running, queued, connections: connected, idleConnections: free };
    },
  };
}
