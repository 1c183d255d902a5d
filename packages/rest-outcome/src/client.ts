import { readAnswer, type Reading } from './answer.js';
import type { JsonCall, JsonObject, RestCall } from './call.js';
import type { CircuitBreakerState } from './circuit.js';
import { Exchange, type RawAnswer } from './exchange.js';
import type { Keys } from './keys.js';
import {
  LedgerEntry,
  Operation,
  type OnCall,
  type OperationAbout,
  type ToHeaders,
} from './operation.js';
import { createPool, createProxiedPool, type Proxies } from './pool.js';
import { Resilience, type ResilienceOptions } from './resilience.js';

/** Every option but `baseUrl` has a default. */
export interface ClientOptions<About extends OperationAbout>
  extends Partial<ResilienceOptions>, Partial<Reading> {
  /** Base URL of the API. May have a path, with or without a trailing slash: `https://api.example.com/api/v1`. */
  readonly baseUrl: URL | string;
  /** Timeout for making one connection. The time counts towards the deadline. Default: 2 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** Proxies to make connections through. Default: none. */
  readonly proxies?: Proxies | undefined;
  /** Headers of each call, or a function that returns them. Default: none of your own. */
  readonly headers?: RequestHeaders | ToHeaders<About> | undefined;
  /** The keys of writes that must not be sent twice: `idempotent(store)`. Default: a key is only sent to the API. */
  readonly keys?: Keys<About> | undefined;
  /** Listeners to every call; `undefined` is a listener that is off. */
  readonly onCall?: readonly (OnCall<About> | undefined)[] | undefined;
  /** Maximum size of an answer. Default: 4 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Name of the header for idempotency keys. Default: `idempotency-key`. */
  readonly keyHeader?: string | undefined;
}

type RequestHeaders = Readonly<JsonCall['headers']>;

/** Sends calls. Never sends a write again of which a byte may have been sent, and never follows a redirect. */
export interface Client<About extends OperationAbout = OperationAbout> {
  /** Begins an operation: only operations can send calls that may change something. */
  begin(about: About): Operation<About>;
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
export function createClient<About extends OperationAbout = OperationAbout>(
  options: ClientOptions<About>,
): Client<About> {
  const { headers: given = {}, keys, keyHeader = 'idempotency-key', proxies } = options;
  const { deadlineMs = 10_000, maxCalls = 256, maxQueue = 256 } = options;
  const { maxAnswerBytes: maxBytes = 4_194_304, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const toPool = proxies ? createProxiedPool.bind(undefined, proxies) : createPool;
  const pool = toPool(origin, maxCalls, connectTimeoutMs);
  const { parse = JSON.parse } = options;
  const reading = { ...options, parse, deadlineMs, maxBytes };
  const limits = { ...options, deadlineMs, maxCalls, maxQueue };
  const resilience = new Resilience(limits, () => !pool.destroyed);

  const toResult = (call: JsonCall, answer: RawAnswer): JsonObject =>
    readAnswer(call, answer, reading);

  /** Sends one attempt, and settles the line of the call in the ledger with what the attempt proves. */
  function sendOnce(call: RestCall, leftMs: number): Promise<JsonObject> {
    const entry = LedgerEntry.start(call);
    const { method, headers, body = null, key } = call;
    const path = basePath + call.path;
    headers['accept'] ??= 'application/json';
    headers['accept-encoding'] ??= 'identity';
    if (body !== null) headers['content-type'] ??= 'application/json';
    if (key !== undefined) headers[keyHeader] = key;
    const onEnd = (status: number | undefined, error: unknown, answer?: JsonObject): void => {
      if (answer) entry.succeed(call, answer);
      else entry.fail(error);
      entry.attempts.push({ origin, path, headers, status });
    };
    const exchange = new Exchange(call, leftMs, reading, toResult, onEnd);
    pool.dispatch({ method, path, headers, body }, exchange);
    return exchange.result;
  }

  /** Makes a call: the level below the keys. A call that no attempt was made of is settled by its refusal. */
  async function makeCall(call: RestCall, entry: LedgerEntry): Promise<JsonObject> {
    try {
      return await resilience.run(call, sendOnce);
    } catch (error) {
      if (!entry.isStarted) entry.fail(error);
      throw error;
    }
  }

  const toHeaders: ToHeaders<About> =
    typeof given === 'function' ? given : () => Object.assign({}, given);
  const onCall = (options.onCall ?? []).filter((listener) => listener !== undefined);
  const sender: ConstructorParameters<typeof Operation<About>>[0] = {
    beginCall: (call, about) => onCall.map((begin) => begin(call, about)),
    toHeaders,
    send: (call, entry, about, read) => {
      if (!keys || call.key === undefined) return makeCall(call, entry);
      const send = (keyed: RestCall): Promise<JsonObject> => makeCall(keyed, entry);
      return keys.send({ call, entry, about, deadlineMs, send, read });
    },
  };
  return {
    begin: (about) => new Operation(sender, about),
    abort: () => void pool.destroy(),
    async close() {
      if (!pool.destroyed) await pool.close();
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
