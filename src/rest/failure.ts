import type { Outcome } from './rest-call.js';

/** Error codes that clients get for failed REST calls. */
export type FailureCode =
  | 'BAD_USER_INPUT'
  | 'CONFLICT'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'OVERLOADED'
  | 'RATE_LIMITED'
  | 'UNAUTHENTICATED'
  | 'UPSTREAM_CONTRACT'
  | 'UPSTREAM_ERROR'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_UNAVAILABLE';

/** Calls to which a cell of `failures` applies; `reads` means only GET calls, which are safe to repeat. */
type Calls = 'always' | 'reads' | 'never';

/** One row of `failures`: what a failure means to client, retries, circuit breaker, idempotency keys, log and metrics. */
export interface Failure {
  readonly code: FailureCode;
  /** Refines `code` for clients. */
  readonly reason?: 'IDEMPOTENCY_KEY_REUSED';
  /** What became of the call. `as-done`: the error object says whether `APPLIED` or `UNKNOWN`. */
  readonly outcome: Outcome | 'as-done';
  /** Calls that the client can retry safely and with a chance of success. */
  readonly retryable: Calls;
  /** Calls that the gateway itself retries, within the deadline and while the circuit is closed. */
  readonly repeated: Calls;
  /** Whether the circuit breaker counts the failure. */
  readonly opensCircuit: boolean;
  /** Whether a duplicate request with the idempotency key gets the same failure. Otherwise the key is freed. */
  readonly keepsKey: boolean;
  /** Whether the gateway itself refused the call, before sending anything. */
  readonly isRefusal: boolean;
  /** Whether the API refused the credentials of the call. */
  readonly judgesToken: boolean;
  /** Level of the log line: `info` for a mistake of the client, otherwise `warn`. */
  readonly logLevel: 'info' | 'warn';
  /** Name in metrics, logs, traces and alerts, which several failures may share. Never rename a label. */
  readonly label: `Rest${string}Error`;
  /** Name in kept records; `undefined` for a failure that ends no first call. Never rename: other versions read the records. */
  readonly ending?: Ending;
  /** Reason for the log, with placeholders of `toText`. */
  readonly detail: string;
  /** Recommended wait before a retry, unless the call says another one. */
  readonly retryAfterSeconds?: number;
  /** Message for clients, with placeholders, `{api}` and `{entity}` among them. A sentence on the outcome is appended. */
  readonly message: string;
}

/** How a first call with an idempotency key failed, as its kept record says. */
export type Ending = 'status' | 'unreadable' | 'cut' | 'no room' | 'timeout' | 'connection lost';

/** One validation error that the API reports for one value of the request. */
export interface ValidationDetail {
  /** Part of the request, and path to the value: `["body", "progress", "total"]`, `["path", "id"]`, `["query", "page"]`. */
  readonly location: readonly (string | number)[];
  readonly message: string;
}

/** Fills the placeholders of a text in `failures` with names, and with what was seen of the call. */
export function toText(text: string, ...seen: readonly object[]): string {
  const values = new Map<string, unknown>(seen.flatMap((known) => Object.entries(known)));
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values.get(name)));
}
