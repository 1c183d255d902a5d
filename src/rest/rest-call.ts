import type { AnswerRoom } from './answer-budget.js';

/** One JSON call to the REST API. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the base URL, begins with `/`, already percent-encoded, with the query. */
  readonly path: string;
  /** The path without ids, as the API's document writes it: `/studies/{study_id}`. For logs, metrics and traces. */
  readonly template: string;
  /** A bearer token of RFC 6750 syntax. */
  readonly token: string;
  /** Returns a JSON array as an object with this one property. Default: an array is an unreadable answer. */
  readonly arrayAs?: string | undefined;
  /** Sent as `x-request-id`. */
  readonly requestId: string;
  /** JSON text, sent as it is. */
  readonly body?: string | undefined;
  /** Key of a write that must not be made twice. */
  readonly idempotency?: Idempotency | undefined;
  /** Time by which the call must have ended, by `performance.now()`. Default: the client's deadline from now. */
  readonly deadlineAt?: number | undefined;
  /** Holds the memory of a long answer. Default: given back when the call ends. */
  readonly room?: AnswerRoom | undefined;
  /** Further headers, which link the API's traces to the gateway's. */
  readonly traceContext?: Readonly<Record<string, string>> | undefined;
  /** Called at the end of each attempt. */
  readonly onAttempt?: (attempt: RestAttempt) => void;
}

/** An idempotency key with its scope: with another caller or operation, the same text is another key. */
export interface Idempotency {
  /** Sent as `Idempotency-Key`: visible ASCII. */
  readonly key: string;
  readonly callerId: string;
  readonly operation: string;
}

/** One attempt to send the request; without `status` the attempt got no answer, or was not sent. */
export interface RestAttempt {
  readonly origin: string;
  /** Path as in the request line, with the path of the base URL. */
  readonly path: string;
  /** Headers of the request, the token among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status?: number | undefined;
  readonly ms: number;
}

/**
 * Outcome of a call:
 * - `NOT_SENT`: no byte of the request left.
 * - `REJECTED`: the API said no (a 4xx).
 * - `APPLIED`: the API said yes (a 2xx), but its answer could not be read whole.
 * - `UNKNOWN`: sent, and no verdict came back.
 */
export type Outcome = 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN';

export type JsonObject = Readonly<Record<string, unknown>>;
