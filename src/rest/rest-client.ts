import { Pool } from 'undici';
import { version } from '../process/runtime.js';
import { AnswerBudget } from './answer-budget.js';
import { readAnswer } from './answer.js';
import type { CircuitBreakerState } from './circuit.js';
import { createConnector } from './connector.js';
import { RestError } from './errors.js';
import { toPartEvidence } from './evidence.js';
import { Exchange, type RawAnswer } from './exchange.js';
import { decodeBody } from './json-body.js';
import { Operation, type OperationAbout, type Send } from './operation.js';
import type { JsonCall, JsonObject, RestAttempt, RestCall } from './rest-call.js';
import { createResilience, type ResilienceOptions } from './resilience.js';

export interface RestClientOptions extends ResilienceOptions {
  /** Base URL of the API. May have a path, with or without a trailing slash: `https://api.example.com/api/v1`. */
  readonly baseUrl: URL;
  /** Timeout for making one connection. The time counts towards `deadlineMs`. Default: 2 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** Maximum size of an answer, before and after its content encoding is removed. */
  readonly maxAnswerBytes: number;
  /** Maximum total size of the long answers in memory; at least `maxAnswerBytes`. */
  readonly answerBudgetBytes: number;
}

/**
 * Time after which an idle connection is closed. Shorter than the API's own timeout (gunicorn 2 s, uvicorn and Node
 * 5 s), because a call fails if it is sent while the API closes the connection.
 */
const KEEP_ALIVE_MS = 1_500;
/** Time subtracted from the timeout that the API announces in a `Keep-Alive` header. */
const KEEP_ALIVE_MARGIN_MS = 2_000;

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
  options: RestClientOptions,
  wraps: readonly (((next: Send<About>) => Send<About>) | undefined)[] = [],
): RestClient<About> {
  const { baseUrl, deadlineMs, connectTimeoutMs, maxAnswerBytes } = options;
  const budget = new AnswerBudget(options.answerBudgetBytes);
  const basePath = baseUrl.pathname.replace(/\/+$/, '');
  const pool = new Pool(baseUrl.origin, {
    connections: options.maxCalls,
    // If a connection with pipelined requests broke, nobody could tell which of the requests had arrived.
    pipelining: 1,
    allowH2: false,
    connect: createConnector(connectTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
    // Disabled, because the deadline of `Exchange` covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const resilience = createResilience(options, () => !pool.destroyed);

  function read(call: JsonCall, answer: RawAnswer): JsonObject {
    const { status, headers, body } = answer;
    const { 'content-encoding': encoding = 'identity' } = headers;
    // An empty body has no encoding, whatever its header says.
    if (encoding === 'identity' || body.length === 0) return readAnswer(call, answer, body);
    const decoded = decodeBody(body, encoding, maxAnswerBytes);
    if (!decoded || call.room?.use(decoded.length) !== false)
      return readAnswer(call, answer, decoded);
    if (status < 200 || status >= 300) return readAnswer(call, answer, undefined);
    const evidence = toPartEvidence(call, status, decoded, true);
    throw new RestError('noRoom', call, { status, evidence });
  }

  function sendOnce(call: RestCall, attempts: RestAttempt[], leftMs: number): Promise<JsonObject> {
    const limits = { leftMs, deadlineMs, maxBytes: maxAnswerBytes, budget };
    const { method, body = null } = call;
    const path = basePath + call.path;
    const headers = toHeaders(call);
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

  return {
    begin: (about) => new Operation(send, about),
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

export function toHeaders(call: JsonCall): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${call.token}`,
    accept: 'application/json',
    'user-agent': `study-gateway/${version}`,
    'x-request-id': call.requestId,
  };
  if (call.body !== undefined) headers['content-type'] = 'application/json';
  if (call.idempotency) headers['idempotency-key'] = call.idempotency.key;
  if (call.traceContext) Object.assign(headers, call.traceContext);
  return headers;
}
