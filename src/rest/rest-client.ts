import { Pool } from 'undici';
import { version } from '../version.js';
import { AnswerBudget } from './answer-budget.js';
import type { CircuitBreakerState } from './circuit.js';
import { createConnector } from './connector.js';
import { RestAnswerError, RestStatusError } from './errors.js';
import { Exchange, toSuccessOutcome, type RawAnswer } from './exchange.js';
import { decodeBody, isJsonObject, parseJson } from './json-body.js';
import type { JsonObject, RestCall } from './rest-call.js';
import { createResilience, type ResilienceOptions } from './resilience.js';
import { toRetryAfterSeconds } from './retry-after.js';
import { toValidationDetails } from './validation-details.js';

export interface RestClientOptions extends ResilienceOptions {
  /** May carry a path, with or without a slash at its end: `https://api.example.com/api/v1`. */
  readonly baseUrl: URL;
  /** Part of the deadline within which a connection must be made. */
  readonly connectTimeoutMs: number;
  /** Longest answer, before and after decoding. */
  readonly maxAnswerBytes: number;
  /** Bytes of all answers in memory; `maxAnswerBytes` at least. */
  readonly answerBudgetBytes: number;
}

/**
 * Closes idle connections before the API does, which would cost the next call: gunicorn closes after 2 s, uvicorn
 * and Node after 5 s. The margin is subtracted from a time that the API announces by `Keep-Alive`.
 */
const KEEP_ALIVE_MS = 1_500;
const KEEP_ALIVE_MARGIN_MS = 2_000;

/** Load of a client. */
export interface RestUsage {
  /** Calls under way. */
  readonly running: number;
  /** Calls that wait until one under way ends. */
  readonly queued: number;
  /** Open connections to the API, idle ones included. */
  readonly connections: number;
  readonly idleConnections: number;
}

/** The part of a client that makes calls. */
export type RestSender = Pick<RestClient, 'send'>;

export interface RestClient {
  /**
   * Sends one call and returns the JSON object of a 2xx, or the array that `arrayAs` names. A write of which a byte may have left is never sent
   * again; redirects are not followed.
   *
   * @throws RestError, which says the outcome of the call
   */
  send(call: RestCall): Promise<JsonObject>;
  /** Waits for the calls under way, and closes every connection. */
  close(): Promise<void>;
  /** State of the circuit breaker. */
  readonly circuit: CircuitBreakerState;
  /** The present load. */
  readonly usage: RestUsage;
}

export function createRestClient(options: RestClientOptions): RestClient {
  const { baseUrl, deadlineMs, connectTimeoutMs, maxAnswerBytes } = options;
  const resilience = createResilience(options);
  const budget = new AnswerBudget(options.answerBudgetBytes);
  const basePath = baseUrl.pathname.replace(/\/+$/, '');
  const pool = new Pool(baseUrl.origin, {
    connections: options.maxCalls,
    // With two requests on one connection, nobody could tell which of them arrived when the connection breaks.
    pipelining: 1,
    allowH2: false,
    connect: createConnector(connectTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
    // The exchange's deadline covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  function read(call: RestCall, answer: RawAnswer): JsonObject | Promise<JsonObject> {
    const { 'content-encoding': encoding = 'identity' } = answer.headers;
    if (encoding === 'identity') return toJsonObject(call, answer, answer.body);
    return decodeBody(answer.body, encoding, maxAnswerBytes).then((body) =>
      toJsonObject(call, answer, body),
    );
  }

  function sendOnce(call: RestCall, leftMs: number): Promise<JsonObject> {
    const limits = { leftMs, deadlineMs, maxBytes: maxAnswerBytes, budget };
    const exchange = new Exchange(call, limits, read);
    const { method, body = null, onAttempt } = call;
    const path = basePath + call.path;
    const headers = toHeaders(call);
    const startedAt = onAttempt ? performance.now() : 0;
    pool.dispatch({ method, path, headers, body }, exchange);
    if (!onAttempt) return exchange.result;
    return exchange.result.finally(() =>
      onAttempt({
        origin: baseUrl.origin,
        path,
        headers,
        status: exchange.status,
        ms: performance.now() - startedAt,
      }),
    );
  }

  return {
    send: (call) => resilience.run(call, (leftMs) => sendOnce(call, leftMs)),
    close: () => pool.close(),
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

export function toHeaders(call: RestCall): Record<string, string> {
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

/** The body is `undefined` when it cannot be decoded. */
function toJsonObject(
  call: RestCall,
  { status, headers }: RawAnswer,
  body: Buffer | undefined,
): JsonObject {
  if (status < 200 || status >= 300) {
    const isClientError = status >= 400 && status < 500;
    throw new RestStatusError(
      call,
      status,
      toRetryAfterSeconds(headers['retry-after']),
      toValidationDetails(isClientError && body ? parseJson(body) : undefined),
    );
  }
  const value = body && parseJson(body);
  if (isJsonObject(value)) return value;
  if (call.arrayAs !== undefined && Array.isArray(value)) return { [call.arrayAs]: value };
  // The parser's own message is left out: it quotes the body, and errors are logged.
  const reason = value === undefined ? 'a body that is not JSON' : 'JSON that is not an object';
  throw new RestAnswerError(call, status, reason, toSuccessOutcome(headers['content-type']));
}
