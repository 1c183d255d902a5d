import type { AnswerRoom } from './answer-room.js';

/** One JSON call to the REST API. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the base URL, begins with `/`, already percent-encoded. */
  readonly path: string;
  /** The path without ids, as the API's document writes it: `/studies/{study_id}`. For logs, metrics and traces. */
  readonly template: string;
  /** A bearer token of RFC 6750 syntax. */
  readonly token: string;
  /** Sent as `x-request-id`. */
  readonly requestId: string;
  /** JSON text, sent as it is. */
  readonly body?: string | undefined;
  /** For a write that is not to be made twice. */
  readonly idempotency?: Idempotency | undefined;
  /** When the call must have ended, by `performance.now()`. Default: the deadline, from when it is sent. */
  readonly deadlineAt?: number | undefined;
  /** Holds the room of a long answer. Default: the room is given back when the call ends. */
  readonly room?: AnswerRoom | undefined;
  /** Further headers, by which the API's own traces are tied to ours. */
  readonly traceContext?: Readonly<Record<string, string>> | undefined;
  /** Hears of each attempt when it has ended. */
  readonly onAttempt?: (attempt: RestAttempt) => void;
}

/** Whose key it is and for what: the same text is another key for another caller or operation. */
export interface Idempotency {
  /** Sent as `Idempotency-Key`: visible ASCII. */
  readonly key: string;
  readonly callerId: string;
  readonly operation: string;
}

/** A request that was sent, or was to be: without a `status` nobody knows, or it got no answer. */
export interface RestAttempt {
  readonly origin: string;
  /** With the path of the base URL, as it stood in the request line. */
  readonly path: string;
  /** With the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status?: number | undefined;
  readonly ms: number;
}

/**
 * What became of a call:
 * - `NOT_SENT`: no byte of the request left.
 * - `REJECTED`: the API said no (a 4xx).
 * - `APPLIED`: the API said yes (a 2xx), but its answer could not be read whole.
 * - `UNKNOWN`: sent, and no verdict came back.
 */
export type Outcome = 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN';

export type JsonObject = Readonly<Record<string, unknown>>;
