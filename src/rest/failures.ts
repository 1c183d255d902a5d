import type { Outcome } from './rest-call.js';

/** Codes that clients are told of failed REST calls. */
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

/** Calls to which a cell applies. `reads`: only those that cannot do anything twice. */
type Calls = 'always' | 'reads' | 'never';

/** The meaning of one failure to client, retries, circuit breaker, idempotency keys, log and metrics. */
export interface Failure {
  /** First cell of the failure's row in the documents' table of errors; two failures may share one row. */
  readonly when: string;
  readonly code: FailureCode;
  /** Refines `code`. */
  readonly reason?: 'IDEMPOTENCY_KEY_REUSED';
  /** `as-done`: each error says whether the call was `APPLIED`, or `UNKNOWN`. */
  readonly outcome: Outcome | 'as-done';
  /** Calls that the client may repeat: safely, and with a chance to succeed. */
  readonly retryable: Calls;
  /** Calls that the gateway itself retries, within the deadline and while the circuit is closed. */
  readonly repeated: Calls;
  /** Whether the circuit breaker counts the failure. */
  readonly opensCircuit: boolean;
  /** Whether an idempotency key keeps the failure for repeats; otherwise the key is free again. */
  readonly keepsKey: boolean;
  /** Whether the gateway itself refused the call, and sent nothing. */
  readonly isRefusal: boolean;
  /** Whether the Study API judged the token, which may be the gateway's own. */
  readonly judgesToken: boolean;
  /** `info` when the client must correct something. */
  readonly logLevel: 'info' | 'warn';
  /** For clients. `{status}` and `{deadlineMs}` stand for the error's own. The outcome's sentence follows. */
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

const REFUSED = {
  repeated: 'never',
  opensCircuit: false,
  isRefusal: true,
  judgesToken: false,
  logLevel: 'warn',
} as const;

/**
 * Every way in which a REST call can fail, one row each. A new failure is a class, which names its row, and a row here.
 * The label of a failure in metrics, traces and log is the `name` of its class.
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
    ...SENT,
    when: '2xx, but the body is over 8 MiB, or no JSON object',
    code: 'UPSTREAM_CONTRACT',
    outcome: 'as-done',
    retryable: 'never',
    repeated: 'never',
    opensCircuit: false,
    keepsKey: true,
    message: 'The Study API gave an answer that cannot be read.',
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
    when: '2xx, but the answers in memory left no room for the body before the deadline',
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
  // 401, 403 and 429 judge the credentials or the moment, not the write: another call with the key may succeed.
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
  // A warning: the Study API may count all callers as one, and only an operator can raise that limit.
  rateLimited: {
    ...REJECTED,
    when: '429',
    code: 'RATE_LIMITED',
    retryable: 'always',
    keepsKey: false,
    logLevel: 'warn',
  },
  rejected: { ...REJECTED, when: 'Any other 4xx', code: 'UPSTREAM_ERROR', logLevel: 'warn' },
  // 502, 503 and 504: a proxy, or the API itself, says that the API is away.
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

/** The row of a status other than 2xx. */
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
    case 502:
    case 503:
    case 504:
      return 'unavailable';
    default:
      if (status < 400) return 'redirected';
      return status < 500 ? 'rejected' : 'serverError';
  }
}
