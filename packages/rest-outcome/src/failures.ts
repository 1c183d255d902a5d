import type { Outcome } from './call.js';

/** Calls to which a cell of `failures` applies; `reads` means only GET calls, which are safe to repeat. */
type Calls = 'always' | 'reads' | 'never';

/** One row of `failures`: what a failure means to callers, retries and circuit breaker. Its outcome decides what becomes of a key. */
export interface Failure {
  /** Error code for clients. */
  readonly code: Uppercase<string>;
  /** Refines `code` for clients. */
  readonly reason?: 'IDEMPOTENCY_KEY_REUSED';
  /** Limit that the answer passes, for metrics. */
  readonly bound?: 'answer_bytes' | 'answer_memory';
  /** What became of the call. `as-done`: the error object says whether `APPLIED` or `UNKNOWN`. */
  readonly outcome: Outcome | 'as-done';
  /** Calls that the caller may repeat safely and with a chance of success. */
  readonly retryable: Calls;
  /** Calls that the REST client repeats by itself, within the deadline and while the circuit is closed. */
  readonly repeated: Calls;
  /** True if the circuit breaker counts the failure: the API is away. */
  readonly opensCircuit: boolean;
  /** Observation, with placeholders of `toText`. */
  readonly detail: string;
  /** Recommended wait before a retry that `retryable` allows, unless the call says another one. */
  readonly retryAfterSeconds?: number;
}

/** Values of most failures. */
const DEFAULTS = { retryable: 'reads', repeated: 'never', opensCircuit: false } as const;

const ANSWERED = { ...DEFAULTS, detail: 'the API answered {status}' } as const;

const REJECTED = { ...ANSWERED, outcome: 'REJECTED', retryable: 'never' } as const;

const SERVER_ERROR = { ...ANSWERED, code: 'UPSTREAM_ERROR', outcome: 'UNKNOWN' } as const;

const TIMEOUT = {
  ...DEFAULTS,
  detail: 'no whole answer within {deadlineMs} ms',
  code: 'UPSTREAM_TIMEOUT',
  opensCircuit: true,
} as const;

const UNUSABLE = {
  ...DEFAULTS,
  detail: 'the API answered {status} with {body}',
  code: 'UPSTREAM_CONTRACT',
  outcome: 'as-done',
  retryable: 'never',
} as const;

const REFUSED = { ...DEFAULTS, outcome: 'NOT_SENT', retryable: 'always' } as const;

/** The table of all ways in which a REST call can fail. CONTRIBUTING.md lists what else a new row needs, such as a message. */
export const failures = {
  unreachable: {
    ...DEFAULTS,
    code: 'UPSTREAM_UNAVAILABLE',
    outcome: 'NOT_SENT',
    retryable: 'always',
    repeated: 'always',
    opensCircuit: true,
    detail: 'no connection to the API',
  },
  connectionLost: {
    ...DEFAULTS,
    code: 'UPSTREAM_UNAVAILABLE',
    outcome: 'UNKNOWN',
    repeated: 'reads',
    opensCircuit: true,
    detail: 'the connection ended before the answer',
  },

  timeoutBeforeSending: { ...TIMEOUT, outcome: 'NOT_SENT', retryable: 'always' },
  timeout: { ...TIMEOUT, outcome: 'UNKNOWN' },
  timeoutInBody: { ...TIMEOUT, outcome: 'as-done' },

  unreadableAnswer: UNUSABLE,
  entityNotShown: UNUSABLE,
  tooLong: { ...UNUSABLE, bound: 'answer_bytes' },
  cutAnswer: {
    ...DEFAULTS,
    code: 'UPSTREAM_CONTRACT',
    outcome: 'as-done',
    repeated: 'reads',
    opensCircuit: true,
    detail: 'the API answered {status}, and the connection ended in the body',
  },
  noRoom: {
    ...DEFAULTS,
    code: 'OVERLOADED',
    outcome: 'as-done',
    bound: 'answer_memory',
    detail: 'the API answered {status}, and there was no room in memory for the body',
    retryAfterSeconds: 1,
  },

  redirected: { ...ANSWERED, code: 'UPSTREAM_CONTRACT', outcome: 'UNKNOWN', retryable: 'never' },
  invalid: { ...REJECTED, code: 'BAD_USER_INPUT' },
  unauthenticated: { ...REJECTED, code: 'UNAUTHENTICATED' },
  forbidden: { ...REJECTED, code: 'FORBIDDEN' },
  notFound: { ...REJECTED, code: 'NOT_FOUND' },
  conflict: { ...REJECTED, code: 'CONFLICT' },
  rateLimited: { ...REJECTED, code: 'RATE_LIMITED', retryable: 'always' },
  givenUp: SERVER_ERROR,
  rejected: { ...REJECTED, code: 'UPSTREAM_ERROR' },
  unavailable: { ...SERVER_ERROR, repeated: 'reads', opensCircuit: true },
  serverError: SERVER_ERROR,

  overloaded: {
    ...REFUSED,
    code: 'OVERLOADED',
    detail: 'too many calls are under way',
    retryAfterSeconds: 1,
  },
  circuitOpen: { ...REFUSED, code: 'UPSTREAM_UNAVAILABLE', detail: 'the circuit breaker is open' },
  keyReused: {
    ...REFUSED,
    code: 'BAD_USER_INPUT',
    reason: 'IDEMPOTENCY_KEY_REUSED',
    retryable: 'never',
    detail: 'the idempotency key was used with other input',
  },
  keyRefused: {
    ...REFUSED,
    code: 'OVERLOADED',
    detail: 'the idempotency key cannot be stored',
  },
  keyUnsettled: {
    ...DEFAULTS,
    code: 'UPSTREAM_TIMEOUT',
    outcome: 'UNKNOWN',
    retryable: 'never',
    detail: 'what became of the first call with the idempotency key is not known',
  },
  keyApplied: {
    ...DEFAULTS,
    code: 'UPSTREAM_CONTRACT',
    outcome: 'APPLIED',
    retryable: 'never',
    detail: 'the first call with the idempotency key was applied, and what it wrote cannot be read',
  },
} as const satisfies Record<string, Failure>;

export type FailureName = keyof typeof failures;

export type FailureCode = (typeof failures)[FailureName]['code'];

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
 * Returns the name of the row in `failures` for an answer that does not say yes. A 4xx is a verdict unless a common proxy sends it of
 * its own after it has passed the request on: 408 (Envoy before 1.22, Cloudflare), 460 (AWS ALB), 499 (nginx, Traefik, Caddy).
 *
 * @param verdict of the answer by the rules of the API; default: by the status alone
 */
export function toStatusFailure(status: number, verdict?: Outcome): FailureName {
  const other = status < 500 ? 'rejected' : 'serverError';
  const failure = byStatus[status] ?? (status < 400 ? 'redirected' : other);
  const isRejected = failures[failure].outcome === 'REJECTED';
  if (verdict === 'REJECTED' && !isRejected) return 'rejected';
  return verdict === 'UNKNOWN' && isRejected ? 'givenUp' : failure;
}

/** Fills the placeholders of a text in `failures` with facts of the call. */
export function toText(text: string, facts: object): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(facts, name)));
}
