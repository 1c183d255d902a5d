import { readAnswer, type Reading } from './answer.js';
import type { JsonCall, JsonObject, RestAttempt, RestCall } from './call.js';
import type { CircuitBreakerState } from './circuit.js';
import { toPartEvidence } from './evidence.js';
import { Exchange, type RawAnswer } from './exchange.js';
import { decodeBody } from './json.js';
import {
  Operation,
  type OperationAbout,
  type Send,
  type ToHeaders,
  type Wrapped,
} from './operation.js';
import { createPool, toBasePath, type PoolOptions } from './pool.js';
import { Resilience, type ResilienceOptions } from './resilience.js';
import { RestError } from './rest-error.js';

/** Every option but `baseUrl` has a default. */
export interface ClientOptions<About extends OperationAbout>
  extends PoolOptions, Partial<ResilienceOptions>, Partial<Reading> {
  /** Headers of each call, or a function that returns them. Default: none of your own. */
  readonly headers?: RequestHeaders | ToHeaders<About> | undefined;
  /** What every call goes through, outermost first; `undefined` stands for a wrap that is off. */
  readonly wrap?: readonly (ClientWrap<About> | undefined)[] | undefined;
  /** Maximum size of an answer, before and after its content encoding is removed. Default: 8 MiB. */
  readonly maxAnswerBytes?: number | undefined;
}

type RequestHeaders = Readonly<JsonCall['headers']>;

/** A `Wrap`, for the operations of one client. */
interface ClientWrap<About extends OperationAbout> {
  (next: Send<About>, client: Wrapped): Send<About>;
  close?(): Promise<void>;
}

/** Current load of a client. */
interface Usage {
  /** Number of calls under way. */
  readonly running: number;
  /** Number of calls that wait in the queue. */
  readonly queued: number;
  /** Number of open connections to the API, including idle ones. */
  readonly connections: number;
  readonly idleConnections: number;
}

/** Sends calls. Never sends a write again of which a byte may have been sent, and never follows a redirect. */
export interface Client<About extends OperationAbout = OperationAbout> {
  /** Begins an operation: only operations can send calls that may change something. */
  begin(about: About): Operation<About>;
  /**
   * Sends one GET on a connection of its own: without retries, queue, circuit breaker, wraps and ledger.
   *
   * @throws RestError when no whole answer came; a status is no error
   */
  fetchOnce(call: Pick<JsonCall, 'path' | 'template' | 'headers'>): Promise<RawAnswer>;
  /** Ends the calls under way, each with its outcome as far as it is seen. Later calls are `NOT_SENT`. */
  abort(): void;
  /** Waits for the calls under way, closes every connection, and then the wraps. */
  close(): Promise<void>;
  /** State of the circuit breaker. */
  readonly circuit: CircuitBreakerState;
  /** Current load. */
  readonly usage: Usage;
}

/** Long enough for most APIs, and shorter than the patience of most callers. */
const DEADLINE_MS = 10_000;
const MAX_CALLS = 256;
const MAX_ANSWER_BYTES = 8_388_608;

export function createClient<About extends OperationAbout = OperationAbout>(
  options: ClientOptions<About>,
): Client<About> {
  const { headers: given = {}, wrap: wraps = [], readRefusal, parse = JSON.parse } = options;
  const { deadlineMs = DEADLINE_MS, maxCalls = MAX_CALLS, maxQueue = MAX_CALLS } = options;
  const { maxAnswerBytes: maxBytes = MAX_ANSWER_BYTES } = options;
  const { origin } = new URL(options.baseUrl);
  const basePath = toBasePath(options);
  const pool = createPool(options, maxCalls);
  const reading = { parse, readRefusal };
  const limits = { ...options, deadlineMs, maxCalls, maxQueue };
  const resilience = new Resilience(limits, () => !pool.destroyed);

  function read(call: JsonCall, answer: RawAnswer): JsonObject {
    const { status, headers, body } = answer;
    const { 'content-encoding': encoding = 'identity' } = headers;
    // An empty body has no encoding, whatever its header says.
    if (encoding === 'identity' || body.length === 0)
      return readAnswer(call, answer, body, reading);
    const decoded = decodeBody(body, encoding, maxBytes);
    if (!decoded || call.room?.use(decoded.length) !== false)
      return readAnswer(call, answer, decoded, reading);
    if (status < 200 || status >= 300) return readAnswer(call, answer, undefined, reading);
    const evidence = toPartEvidence(call, status, decoded, true);
    throw new RestError('noRoom', call, { status, evidence });
  }

  function sendOnce(call: RestCall, attempts: RestAttempt[], leftMs: number): Promise<JsonObject> {
    const { method, headers, body = null, key } = call;
    const path = basePath + call.path;
    headers['accept'] ??= 'application/json';
    if (body !== null) headers['content-type'] ??= 'application/json';
    if (key !== undefined) headers['idempotency-key'] = key;
    const onEnd = (status: number | undefined): void =>
      void attempts.push({ origin, path, headers, status });
    const exchange = new Exchange(call, { leftMs, deadlineMs, maxBytes }, read, onEnd);
    pool.dispatch({ method, path, headers, body }, exchange);
    return exchange.result;
  }

  const send = wraps.reduceRight<Send<About>>(
    (next, wrap) => wrap?.(next, { deadlineMs, parse }) ?? next,
    (call) => resilience.run(call, (leftMs, attempts) => sendOnce(call, attempts, leftMs)),
  );

  const toHeaders: ToHeaders<About> =
    typeof given === 'function' ? given : () => Object.assign({}, given);
  const sender = { send, toHeaders };
  return {
    begin: (about) => new Operation(sender, about),
    fetchOnce({ path, template, headers }) {
      const call = { method: 'GET', path, template, headers } as const;
      const limits = { leftMs: deadlineMs, deadlineMs, maxBytes };
      const exchange = new Exchange(call, limits, (_, answer) => answer);
      // On a connection of its own, because an idle one could break under the call.
      pool.dispatch({ method: 'GET', path: basePath + path, headers, reset: true }, exchange);
      return exchange.result;
    },
    abort: () => void pool.destroy(),
    async close() {
      if (!pool.destroyed) await pool.close();
      await Promise.all(wraps.map((wrap) => wrap?.close?.()));
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
