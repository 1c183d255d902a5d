import type { FailureName } from 'rest-outcome';

/**
 * Name of a failure in metrics, logs, traces and alerts, which several failures may share, and message for clients, with
 * placeholders of `toText`. Never rename a label. A sentence on the outcome is appended to a message.
 */
type Told = readonly [label: `Rest${string}Error`, message: string];

const STATUS: Told = ['RestStatusError', 'The Study API answered with status {status}.'];
const TIMEOUT: Told = [
  'RestTimeoutError',
  'The Study API did not answer completely within {deadlineMs} ms.',
];
const UNREADABLE = 'The answer of the Study API cannot be read.';

/** Label and message of each failure: a row for each row of `failures`. */
export const failureMessages: Readonly<Record<FailureName, Told>> = {
  unreachable: ['RestUnreachableError', 'The Study API cannot be reached.'],
  connectionLost: [
    'RestConnectionLostError',
    'The connection to the Study API ended before it answered.',
  ],
  timeoutBeforeSending: TIMEOUT,
  timeout: TIMEOUT,
  timeoutInBody: TIMEOUT,
  unreadableAnswer: ['RestAnswerError', UNREADABLE],
  entityNotShown: [
    'RestAnswerError',
    'The Study API answered with status {status}, and the answer does not show the {noun}.',
  ],
  cutAnswer: ['RestCutAnswerError', UNREADABLE],
  noRoom: ['RestNoRoomError', 'The gateway had no room in memory for the answer of the Study API.'],
  redirected: STATUS,
  invalid: STATUS,
  unauthenticated: STATUS,
  forbidden: STATUS,
  notFound: STATUS,
  conflict: STATUS,
  rateLimited: STATUS,
  givenUp: STATUS,
  rejected: STATUS,
  unavailable: STATUS,
  serverError: STATUS,
  overloaded: ['RestOverloadedError', 'The gateway has too many calls to the Study API under way.'],
  circuitOpen: [
    'RestCircuitOpenError',
    'The circuit breaker is open: too many recent calls failed.',
  ],
  keyReused: ['RestKeyReusedError', 'The idempotency key was used before, with other arguments.'],
  keyRefused: ['RestKeyRefusedError', 'The gateway cannot hold idempotency keys at the moment.'],
  keyStoreFull: [
    'RestKeyRefusedError',
    'All places for idempotency keys are taken. If known, retryAfterSeconds says when one becomes free.',
  ],
  keyUnsettled: [
    'RestKeyUnsettledError',
    'What became of the first call with this idempotency key is not known.',
  ],
  keyApplied: [
    'RestKeyAppliedError',
    'The first call with this idempotency key was applied. Its study cannot be read now.',
  ],
};

/** Failures in which the Study API refused the credentials of the call. */
export const ofCredentials: ReadonlySet<FailureName> = new Set(['unauthenticated', 'forbidden']);

/**
 * Mistakes of the client, logged as `info`; all other failures are warnings. `rateLimited` is a warning, because an API may
 * count all callers as one client, and then only an operator can get the limit raised.
 */
export const ofClients: ReadonlySet<FailureName> = new Set([
  ...ofCredentials,
  'invalid',
  'notFound',
  'conflict',
  'keyReused',
]);

/** Failures in which the gateway itself refused the call. */
export const refusals: ReadonlySet<FailureName> = new Set([
  'overloaded',
  'circuitOpen',
  'keyReused',
  'keyRefused',
  'keyStoreFull',
  'keyUnsettled',
  'keyApplied',
]);
