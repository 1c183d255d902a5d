import type { AnswerRoom } from './answer-budget.js';

/** One JSON call to the REST API. */
export interface JsonCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path relative to the base URL, with the query; begins with `/` and is percent-encoded. */
  readonly path: string;
  /** Path with placeholders for ids, for logs, metrics and traces: `/studies/{study_id}`. */
  readonly template: string;
  /** Bearer token for the API. Must have the syntax of RFC 6750. */
  readonly token: string;
  /** Property name under which a JSON array is returned. Default: an array is an unreadable answer. */
  readonly arrayAs?: string | undefined;
  /** Thing that a 2xx must show. Default: any JSON object is an answer. */
  readonly entity?: Entity | undefined;
  /** Id of the client's request, sent as `x-request-id`. */
  readonly requestId: string;
  /** JSON text of the request body, sent unchanged. */
  readonly body?: string | undefined;
  /** Idempotency key of a write that must not be sent twice. */
  readonly idempotency?: Idempotency | undefined;
  /** Time by `performance.now()` at which the call times out. Default: `deadlineMs` of the REST client from now. */
  readonly deadlineAt?: number | undefined;
  /** Memory reserved for the long answers of the operation. Default: the answer is not counted. */
  readonly room?: AnswerRoom | undefined;
  /** Trace context headers, which link the API's traces to the gateway's. */
  readonly traceContext?: Readonly<Record<string, string>> | undefined;
}

/** A call that an operation has begun. */
export interface RestCall extends JsonCall {
  /** Line of the call in the ledger of its operation. Only `Operation` creates lines, so only operations send calls. */
  readonly entry: Entry;
}

/** The thing that a call reads or writes, as far as an answer can show it. */
export interface Entity {
  /**
   * Returns the id in an answer, or in the members of an answer that stand before its cut. Returns `undefined` if the id
   * is missing, and `null` if what stands in its place is no id.
   */
  readId(answer: JsonObject): string | null | undefined;
  /** Returns whether an id is that of the thing that was asked for. Default: every id, as after a create. */
  readonly isAskedFor?: (id: string) => boolean;
}

/** The line of a call in the ledger of its operation. */
export interface Entry {
  /** Response name of the root field that made the call. */
  readonly name: string;
  readonly isWrite: boolean;
  /** `UNKNOWN` until an attempt, or an earlier call with the idempotency key, proves something else. */
  readonly outcome: Outcome;
  /** Id that the answer shows; `undefined` if it shows none. */
  readonly id: string | undefined;
  /** The attempts that have ended, in their order. */
  readonly attempts: readonly RestAttempt[];
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

/** Outcomes, beginning with the one that does the most harm if a client overlooks it. */
export const outcomesByHarm = ['UNKNOWN', 'APPLIED', 'REJECTED', 'NOT_SENT'] as const;

/**
 * What became of a failed call:
 * - `NOT_SENT`: no byte of the request was sent.
 * - `REJECTED`: the API refused the call (a 4xx that no common proxy sends of its own after forwarding).
 * - `APPLIED`: the API carried the call out, and its answer is unusable or incomplete; see evidence.ts.
 * - `UNKNOWN`: the request may have been sent, and no answer proves whether the API carried it out.
 */
export type Outcome = (typeof outcomesByHarm)[number];

export type JsonObject = Readonly<Record<string, unknown>>;
