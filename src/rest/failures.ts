import type { Failure } from './failure.js';

/** What holds of most failures of a call that was, or may have been, sent. */
const SENT = {
  retryable: 'reads',
  repeated: 'never',
  opensCircuit: false,
  keepsKey: true,
  isRefusal: false,
  judgesToken: false,
  logLevel: 'warn',
} as const;

const ANSWERED = {
  ...SENT,
  label: 'RestStatusError',
  ending: 'status',
  detail: 'the API answered {status}',
  message: 'The Study API answered with status {status}.',
} as const;

const REJECTED = {
  ...ANSWERED,
  outcome: 'REJECTED',
  retryable: 'never',
  logLevel: 'info',
} as const;

const SERVER_ERROR = {
  ...ANSWERED,
  when: '5xx',
  code: 'UPSTREAM_ERROR',
  outcome: 'UNKNOWN',
  opensCircuit: true,
} as const;

const TIMEOUT = {
  ...SENT,
  label: 'RestTimeoutError',
  ending: 'timeout',
  detail: 'no whole answer within {deadlineMs} ms',
  code: 'UPSTREAM_TIMEOUT',
  opensCircuit: true,
  message: 'The Study API gave no whole answer within {deadlineMs} ms.',
} as const;

const UNUSABLE = {
  ...SENT,
  label: 'RestAnswerError',
  ending: 'unreadable',
  detail: 'the API answered {status} with {body}',
  code: 'UPSTREAM_CONTRACT',
  outcome: 'as-done',
  retryable: 'never',
} as const;

const REFUSED = {
  outcome: 'NOT_SENT',
  retryable: 'always',
  repeated: 'never',
  keepsKey: false,
  opensCircuit: false,
  isRefusal: true,
  judgesToken: false,
  logLevel: 'warn',
} as const;

/** The table of all ways in which a REST call can fail. To add a failure, add a row. */
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
    label: 'RestUnreachableError',
    detail: 'no connection to the API',
    message: 'The Study API cannot be reached.',
  },
  connectionLost: {
    ...SENT,
    when: 'The connection ended before the answer',
    code: 'UPSTREAM_UNAVAILABLE',
    outcome: 'UNKNOWN',
    repeated: 'reads',
    opensCircuit: true,
    label: 'RestConnectionLostError',
    ending: 'connection lost',
    detail: 'the connection ended before the answer',
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
  },
  timeoutInBody: {
    ...TIMEOUT,
    when: 'The deadline passed in the body of a 2xx',
    outcome: 'as-done',
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
    repeated: 'reads',
    opensCircuit: true,
    label: 'RestCutAnswerError',
    ending: 'cut',
    detail: 'the API answered {status}, and the connection ended in the body',
    message: 'The Study API gave an answer that cannot be read.',
  },
  noRoom: {
    ...SENT,
    when: '2xx, but the answers in memory left no room for the body',
    code: 'OVERLOADED',
    outcome: 'as-done',
    label: 'RestNoRoomError',
    ending: 'no room',
    detail: 'the API answered {status}, and there was no room in memory for the body',
    message: 'The gateway had no room in memory for the answer of the Study API.',
  },

  redirected: {
    ...ANSWERED,
    when: '3xx: redirects are never followed',
    code: 'UPSTREAM_CONTRACT',
    outcome: 'UNKNOWN',
    retryable: 'never',
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
  },
  rejected: { ...REJECTED, when: 'Any other 4xx', code: 'UPSTREAM_ERROR', logLevel: 'warn' },
  unavailable: { ...SERVER_ERROR, repeated: 'reads' },
  serverError: SERVER_ERROR,

  overloaded: {
    ...REFUSED,
    when: 'As many calls as allowed are under way, and the queue behind them is full',
    code: 'OVERLOADED',
    label: 'RestOverloadedError',
    detail: 'too many calls are under way',
    retryAfterSeconds: 1,
    message: 'The gateway has too many calls to the Study API under way.',
  },
  circuitOpen: {
    ...REFUSED,
    when: 'The circuit breaker is open: the Study API has failed too often of late',
    code: 'UPSTREAM_UNAVAILABLE',
    label: 'RestCircuitOpenError',
    detail: 'the circuit breaker is open',
    message: 'The Study API has failed too often of late to be asked again yet.',
  },
  keyReused: {
    ...REFUSED,
    when: 'An idempotency key is malformed, or was used with other arguments',
    code: 'BAD_USER_INPUT',
    reason: 'IDEMPOTENCY_KEY_REUSED',
    retryable: 'never',
    logLevel: 'info',
    label: 'RestKeyReusedError',
    detail: 'the idempotency key was used with other input',
    message: 'The idempotency key was used before, with other arguments.',
  },
  keyRefused: {
    ...REFUSED,
    when: 'Idempotency keys cannot be held now: Redis is away, or all places are taken',
    code: 'OVERLOADED',
    label: 'RestKeyRefusedError',
    detail: 'the idempotency key cannot be stored',
    retryAfterSeconds: 1,
    message: 'The gateway cannot hold idempotency keys at the moment.',
  },
  keyUnsettled: {
    ...REFUSED,
    when: 'The first call with the key left no result',
    code: 'UPSTREAM_TIMEOUT',
    outcome: 'UNKNOWN',
    retryable: 'never',
    keepsKey: true,
    label: 'RestKeyUnsettledError',
    detail: 'the first call with the idempotency key has left no result',
    message: 'The first call with this idempotency key has left no result.',
  },
  answerNotKept: {
    ...REFUSED,
    when: 'The first call with the key was applied, and its answer could not be kept',
    code: 'UPSTREAM_CONTRACT',
    outcome: 'APPLIED',
    retryable: 'never',
    keepsKey: true,
    label: 'RestAnswerNotKeptError',
    detail: 'the answer to the first call with the idempotency key could not be kept',
    message:
      'The first call with this idempotency key succeeded, but its answer could not be kept.',
  },
} as const satisfies Record<string, Failure>;

export type FailureName = keyof typeof failures;

/** Statuses with a row of their own. A proxy, or the API itself, sends 502, 503 and 504 while the API is unavailable. */
const byStatus: Readonly<Partial<Record<number, FailureName>>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  408: 'givenUp',
  409: 'conflict',
  410: 'notFound',
  412: 'conflict',
  413: 'invalid',
  422: 'invalid',
  429: 'rateLimited',
  460: 'givenUp',
  499: 'givenUp',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/**
 * Returns the name of the row in `failures` for a status other than 2xx. A 4xx is a verdict unless a common proxy sends it of
 * its own after it has passed the request on: 408 (Envoy before 1.22, Cloudflare), 460 (AWS ALB), 499 (nginx, Traefik, Caddy).
 * docs/study-api.md has the sources.
 */
export function toStatusFailure(status: number): FailureName {
  const other = status < 500 ? 'rejected' : 'serverError';
  return byStatus[status] ?? (status < 400 ? 'redirected' : other);
}
