import type { AnswerRoom } from './answer-budget.js';

/** One JSON call to the REST API. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path relative to the base URL, with the query; begins with `/` and is percent-encoded. */
  readonly path: string;
  /** Path with placeholders for ids, for logs, metrics and traces: `/studies/{study_id}`. */
  readonly template: string;
  /** Bearer token for the API. Must have the syntax of RFC 6750. */
  readonly token: string;
  /** Property name under which a JSON array is returned. Default: an array is an unreadable answer. */
  readonly arrayAs?: string | undefined;
  /** Id of the client's request, sent as `x-request-id`. */
  readonly requestId: string;
  /** JSON text of the request body, sent unchanged. */
  readonly body?: string | undefined;
  /** Idempotency key of a write that must not be sent twice. */
  readonly idempotency?: Idempotency | undefined;
  /** Time by `performance.now()` at which the call times out. Default: `deadlineMs` of the REST client from now. */
  readonly deadlineAt?: number | undefined;
  /**
   * Room that keeps the memory of a long answer reserved after the call. Default: the memory is freed when the call
   * ends.
   */
  readonly room?: AnswerRoom | undefined;
  /** Trace context headers, which link the API's traces to the gateway's. */
  readonly traceContext?: Readonly<Record<string, string>> | undefined;
  /** Called at the end of each attempt. Must not throw. */
  readonly onAttempt?: (attempt: RestAttempt) => void;
}

/** An idempotency key and its scope: the same text is a different key for another caller or operation. */
export interface Idempotency {
  /** Text of the key, in visible ASCII. Sent as `Idempotency-Key`. */
  readonly key: string;
  readonly callerId: string;
  readonly operation: string;
}

/** One attempt of a call. `status` is `undefined` if the request got no answer or was not sent. */
export interface RestAttempt {
  readonly origin: string;
  /** Path in the request line, including the path of the base URL. */
  readonly path: string;
  /** Request headers, including the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status?: number | undefined;
}

/**
 * What became of a failed call:
 * - `NOT_SENT`: no byte of the request was sent.
 * - `REJECTED`: the API refused the call (4xx).
 * - `APPLIED`: the API accepted the call (2xx), but the body of the answer is unusable or incomplete.
 * - `UNKNOWN`: the request may have been sent, and no answer says whether the API carried it out.
 */
export type Outcome = 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN';

export type JsonObject = Readonly<Record<string, unknown>>;
