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

/** One row of `failures`: what a failure means to client, retries, circuit breaker, idempotency keys and log. */
export interface Failure {
  /** Condition of the failure, as in the table of docs/errors.md, where two failures may share a row. */
  readonly when: string;
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
  /** Whether the API refused the bearer token, which is the gateway's own with `AUTH_MODE=service`. */
  readonly judgesToken: boolean;
  /** Level of the log line: `info` for a mistake of the client, otherwise `warn`. */
  readonly logLevel: 'info' | 'warn';
  /** Message for clients, with placeholders `{status}` and `{deadlineMs}`. A sentence on the outcome is appended. */
  readonly message: string;
}

const SENT = { isRefusal: false, judgesToken: false, logLevel: 'warn' } as const;

const ANSWERED = {
  ...SENT,
  repeated: 'never',
  opensCircuit: false,
  message: 'The Study API answered with status {status}.',
} as const;

const REJECTED = {
  ...ANSWERED,
  outcome: 'REJECTED',
  retryable: 'never',
  keepsKey: true,
  logLevel: 'info',
} as const;

const SERVER_ERROR = {
  ...ANSWERED,
  when: '5xx',
  code: 'UPSTREAM_ERROR',
  outcome: 'UNKNOWN',
  retryable: 'reads',
  opensCircuit: true,
  keepsKey: true,
} as const;

const TIMEOUT = {
  ...SENT,
  code: 'UPSTREAM_TIMEOUT',
  repeated: 'never',
  opensCircuit: true,
  message: 'The Study API gave no whole answer within {deadlineMs} ms.',
} as const;

const UNUSABLE = {
  ...SENT,
  code: 'UPSTREAM_CONTRACT',
  outcome: 'as-done',
  retryable: 'never',
  repeated: 'never',
  opensCircuit: false,
  keepsKey: true,
} as const;

const REFUSED = {
  repeated: 'never',
  opensCircuit: false,
  isRefusal: true,
  judgesToken: false,
  logLevel: 'warn',
} as const;

/**
 * The table of all ways in which a REST call can fail. To add a failure, add a row here and an error class that names
 * the row. Metrics, traces and logs label a failure by the `name` of its class.
 */
export const failures = {
  unreachable: {
    ...SENT,
    when: 'Refused, name not found, no connection within 2 s',
    code: 'UPSTREAM_UNAVAILABLE',
    outcome: 'NOT_SENT',
    retryable: 'always',
    repeated: 'always',
    opensCircuit: true,
    keepsKey: false,
    message: 'The Study API cannot be reached.',
  },
  connectionLost: {
    ...SENT,
    when: 'The connection ended before the answer',
    code: 'UPSTREAM_UNAVAILABLE',
    outcome: 'UNKNOWN',
    retryable: 'reads',
    repeated: 'reads',
    opensCircuit: true,
    keepsKey: true,
    message: 'The connection to the Study API ended before it answered.',
  },

  timeoutBeforeSending: {
    ...TIMEOUT,
    when: 'The deadline passed before its turn came or a connection was had',
    outcome: 'NOT_SENT',
    retryable: 'always',
    keepsKey: false,
  },
  timeout: {
    ...TIMEOUT,
    when: 'The deadline passed before the answer',
    outcome: 'UNKNOWN',
    retryable: 'reads',
    keepsKey: true,
  },
  timeoutInBody: {
    ...TIMEOUT,
    when: 'The deadline passed in the body of a 2xx',
    outcome: 'as-done',
    retryable: 'reads',
    keepsKey: true,
  },

  unreadableAnswer: {
    ...UNUSABLE,
    when: '2xx, but the body is over 8 MiB or has too many parts and shows the study’s id, or a list cannot be read',
    message: 'The Study API gave an answer that cannot be read.',
  },
  entityNotShown: {
    ...UNUSABLE,
    when: '2xx, but the answer shows no study, or another one; 404 to a read, with a body that is no JSON object or list',
    message: 'The Study API answered with status {status}, and the answer does not show the study.',
  },
  cutAnswer: {
    ...SENT,
    when: 'The connection ended in the body of a 2xx',
    code: 'UPSTREAM_CONTRACT',
    outcome: 'as-done',
    retryable: 'reads',
    repeated: 'reads',
    opensCircuit: true,
    keepsKey: true,
    message: 'The Study API gave an answer that cannot be read.',
  },
  noRoom: {
    ...SENT,
    when: '2xx, but the answers in memory left no room for the body',
    code: 'OVERLOADED',
    outcome: 'as-done',
    retryable: 'reads',
    repeated: 'never',
    opensCircuit: false,
    keepsKey: true,
    message: 'The gateway had no room in memory for the answer of the Study API.',
  },

  redirected: {
    ...ANSWERED,
    when: '3xx: redirects are never followed',
    code: 'UPSTREAM_CONTRACT',
    outcome: 'UNKNOWN',
    retryable: 'never',
    keepsKey: true,
  },
  invalid: { ...REJECTED, when: '400, 413, 422', code: 'BAD_USER_INPUT' },
  // 401, 403 and 429 are about credentials or timing, not about the write: a later call with the key may succeed.
  unauthenticated: {
    ...REJECTED,
    when: '401 (`UPSTREAM_ERROR` when the token was the gateway’s own)',
    code: 'UNAUTHENTICATED',
    keepsKey: false,
    judgesToken: true,
  },
  forbidden: {
    ...REJECTED,
    when: '403 (likewise)',
    code: 'FORBIDDEN',
    keepsKey: false,
    judgesToken: true,
  },
  notFound: {
    ...REJECTED,
    when: '404, 410 (`study` answers `null` on 404)',
    code: 'NOT_FOUND',
  },
  conflict: { ...REJECTED, when: '409, 412', code: 'CONFLICT' },
  // Logged as a warning: if the API counts all callers as one client, only an operator can get the limit raised.
  rateLimited: {
    ...REJECTED,
    when: '429',
    code: 'RATE_LIMITED',
    retryable: 'always',
    keepsKey: false,
    logLevel: 'warn',
  },
  givenUp: {
    ...ANSWERED,
    when: '408, 460, 499: a proxy may have given up on a request that it had passed on',
    code: 'UPSTREAM_ERROR',
    outcome: 'UNKNOWN',
    retryable: 'reads',
    keepsKey: true,
  },
  rejected: { ...REJECTED, when: 'Any other 4xx', code: 'UPSTREAM_ERROR', logLevel: 'warn' },
  // 502, 503 and 504: a proxy, or the API itself, reports that the API is unavailable.
  unavailable: { ...SERVER_ERROR, repeated: 'reads' },
  serverError: SERVER_ERROR,

  overloaded: {
    ...REFUSED,
    when: 'As many calls as allowed are under way, and the queue behind them is full',
    code: 'OVERLOADED',
    outcome: 'NOT_SENT',
    retryable: 'always',
    keepsKey: false,
    message: 'The gateway has too many calls to the Study API under way.',
  },
  circuitOpen: {
    ...REFUSED,
    when: 'The circuit breaker is open: the Study API has failed too often of late',
    code: 'UPSTREAM_UNAVAILABLE',
    outcome: 'NOT_SENT',
    retryable: 'always',
    keepsKey: false,
    message: 'The Study API has failed too often of late to be asked again yet.',
  },
  keyReused: {
    ...REFUSED,
    when: 'An idempotency key is malformed, or was used with other arguments',
    code: 'BAD_USER_INPUT',
    reason: 'IDEMPOTENCY_KEY_REUSED',
    outcome: 'NOT_SENT',
    retryable: 'never',
    keepsKey: false,
    logLevel: 'info',
    message: 'The idempotency key was used before, with other arguments.',
  },
  keyRefused: {
    ...REFUSED,
    when: 'Idempotency keys cannot be held now: Redis is away, or all places are taken',
    code: 'OVERLOADED',
    outcome: 'NOT_SENT',
    retryable: 'always',
    keepsKey: false,
    message: 'The gateway cannot hold idempotency keys at the moment.',
  },
  keyUnsettled: {
    ...REFUSED,
    when: 'The first call with the key left no result',
    code: 'UPSTREAM_TIMEOUT',
    outcome: 'UNKNOWN',
    retryable: 'never',
    keepsKey: true,
    message: 'The first call with this idempotency key has left no result.',
  },
  answerNotKept: {
    ...REFUSED,
    when: 'The first call with the key was applied, and its answer could not be kept',
    code: 'UPSTREAM_CONTRACT',
    outcome: 'APPLIED',
    retryable: 'never',
    keepsKey: true,
    message:
      'The first call with this idempotency key succeeded, but its answer could not be kept.',
  },
} as const satisfies Record<string, Failure>;

export type FailureName = keyof typeof failures;

/**
 * Returns the name of the row in `failures` for a status other than 2xx. A 4xx is a verdict unless a common proxy sends it of
 * its own after it has passed the request on: 408 (Envoy before 1.22, Cloudflare), 460 (AWS ALB), 499 (nginx, Traefik, Caddy).
 * docs/study-api.md has the sources.
 */
export function toStatusFailure(status: number) {
  switch (status) {
    case 400:
    case 413:
    case 422:
      return 'invalid';
    case 401:
      return 'unauthenticated';
    case 403:
      return 'forbidden';
    case 404:
    case 410:
      return 'notFound';
    case 409:
    case 412:
      return 'conflict';
    case 429:
      return 'rateLimited';
    case 408:
    case 460:
    case 499:
      return 'givenUp';
    case 502:
    case 503:
    case 504:
      return 'unavailable';
    default:
      if (status < 400) return 'redirected';
      return status < 500 ? 'rejected' : 'serverError';
  }
}
