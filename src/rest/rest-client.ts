import { AnswerBudget } from './answer-budget.js';
import { readAnswer, type ReadRefusal } from './answer.js';
import type { CircuitBreakerState } from './circuit.js';
import { toNoRoom } from './errors.js';
import { toPartEvidence } from './evidence.js';
import { Exchange, type RawAnswer } from './exchange.js';
import { decodeBody } from './json-body.js';
import { Operation, type OperationAbout, type Send, type HeaderSource } from './operation.js';
import { createPool, toBasePath, type PoolOptions } from './pool.js';
import type { JsonCall, JsonObject, RestAttempt, RestCall } from './rest-call.js';
import { createResilience, type ResilienceOptions } from './resilience.js';

export interface RestClientOptions extends ResilienceOptions, PoolOptions {
  /** Maximum size of an answer, before and after its content encoding is removed. */
  readonly maxAnswerBytes: number;
  /** Maximum total size of the long answers in memory; at least `maxAnswerBytes`. */
  readonly answerBudgetBytes: number;
}

/** What differs from API to API. */
export interface ApiOptions<About> extends HeaderSource<About> {
  /** Default: nothing is read of the body of a refusal. */
  readonly readRefusal?: ReadRefusal;
}

/** Current load of a REST client. */
interface RestUsage {
  /** Number of calls under way. */
  readonly running: number;
  /** Number of calls that wait in the queue. */
  readonly queued: number;
  /** Number of open connections to the API, including idle ones. */
  readonly connections: number;
  readonly idleConnections: number;
}

/** Sends calls. Never sends a write again of which a byte may have been sent, and never follows a redirect. */
export interface RestClient<About extends OperationAbout = OperationAbout> {
  /** Begins an operation: only operations can send calls. */
  begin(about: About): Operation<About>;
  /** Ends the calls under way, each with its outcome as far as it is seen. Later calls are `NOT_SENT`. */
  abort(): void;
  /** Waits for the calls under way, and closes every connection. */
  close(): Promise<void>;
  /** State of the circuit breaker. */
  readonly circuit: CircuitBreakerState;
  /** Current load. */
  readonly usage: RestUsage;
}

/** @param wraps what every call goes through, outermost first; `undefined` stands for a wrap that is off */
export function createRestClient<About extends OperationAbout>(
  options: RestClientOptions & ApiOptions<About>,
  wraps: readonly (((next: Send<About>) => Send<About>) | undefined)[] = [],
): RestClient<About> {
  const { baseUrl, deadlineMs, maxAnswerBytes, maxCalls, readRefusal } = options;
  const budget = new AnswerBudget(options.answerBudgetBytes);
  const basePath = toBasePath(options);
  const pool = createPool(options, maxCalls);
  const resilience = createResilience(options, () => !pool.destroyed);

  function read(call: JsonCall, answer: RawAnswer): JsonObject {
    const { status, headers, body } = answer;
    const { 'content-encoding': encoding = 'identity' } = headers;
    // An empty body has no encoding, whatever its header says.
    if (encoding === 'identity' || body.length === 0)
      return readAnswer(call, answer, body, readRefusal);
    const decoded = decodeBody(body, encoding, maxAnswerBytes);
    if (!decoded || call.room?.use(decoded.length) !== false)
      return readAnswer(call, answer, decoded, readRefusal);
    if (status < 200 || status >= 300) return readAnswer(call, answer, undefined, readRefusal);
    const evidence = toPartEvidence(call, status, decoded, true);
    throw toNoRoom(call, status, evidence, budget);
  }

  function sendOnce(call: RestCall, attempts: RestAttempt[], leftMs: number): Promise<JsonObject> {
    const limits = { leftMs, deadlineMs, maxBytes: maxAnswerBytes, budget };
    const { method, headers, body = null, idempotency } = call;
    const path = basePath + call.path;
    headers['accept'] ??= 'application/json';
    if (body !== null) headers['content-type'] ??= 'application/json';
    if (idempotency) headers['idempotency-key'] = idempotency.key;
    const onEnd = (status: number | undefined): void =>
      void attempts.push({ origin: baseUrl.origin, path, headers, status });
    const exchange = new Exchange(call, limits, read, onEnd);
    pool.dispatch({ method, path, headers, body }, exchange);
    return exchange.result;
  }

  const send = wraps.reduceRight<Send<About>>(
    (next, wrap) => wrap?.(next) ?? next,
    (call) => resilience.run(call, (leftMs, attempts) => sendOnce(call, attempts, leftMs)),
  );

  const sender = { send, toHeaders: options.toHeaders.bind(options) };
  return {
    begin: (about) => new Operation(sender, about),
    abort: () => void pool.destroy(),
    close: async () => (pool.destroyed ? undefined : pool.close()),
    get circuit() {
      return resilience.circuit;
    },
    get usage() {
      const { running, queued } = resilience;
      const { connected, free } = pool.stats;
      return { running, queued, connections: connected, idleConnections: free };
    },
  };
}
