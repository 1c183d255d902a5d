import type { FailureName } from 'rest-outcome';

/**
 * Name of a failure in metrics, logs, traces and alerts, which several failures may share, and message for clients, with
 * placeholders of `toText`. Never rename a label. A sentence on the outcome is appended to a message.
 */
type Told = readonly [label: `Rest${string}Error`, message: string];

const STATUS: Told = ['RestStatusError', 'The Study API answered with status {status}.'];
const TIMEOUT: Told = [
  'RestTimeoutError',
  'The Study API gave no whole answer within {deadlineMs} ms.',
];
const UNREADABLE = 'The Study API gave an answer that cannot be read.';

/** How each failure is told: a row for each row of `failures`. */
export const toldFailures: Readonly<Record<FailureName, Told>> = {
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
    'The Study API has failed too often of late to be asked again yet.',
  ],
  keyReused: ['RestKeyReusedError', 'The idempotency key was used before, with other arguments.'],
  keyGuessable: [
    'RestKeyGuessableError',
    'An idempotency key must be a UUID, which nobody else can guess.',
  ],
  keyRefused: ['RestKeyRefusedError', 'The gateway cannot hold idempotency keys at the moment.'],
  keyStoreFull: [
    'RestKeyRefusedError',
    'All places for idempotency keys are taken. When one is free, retryAfterSeconds says, if it is known.',
  ],
  keyUnsettled: [
    'RestKeyUnsettledError',
    'The first call with this idempotency key has left no result.',
  ],
  keyOfOtherToken: [
    'RestKeyOfOtherTokenError',
    'The idempotency key was used with another token, whose result this token cannot read.',
  ],
  answerNotKept: [
    'RestAnswerNotKeptError',
    'The first call with this idempotency key succeeded, but its answer could not be kept.',
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
  'keyGuessable',
]);

/** Failures in which the gateway itself refused the call. */
export const refusals: ReadonlySet<FailureName> = new Set([
  'overloaded',
  'circuitOpen',
  'keyReused',
  'keyGuessable',
  'keyRefused',
  'keyStoreFull',
  'keyUnsettled',
  'keyOfOtherToken',
  'answerNotKept',
]);
