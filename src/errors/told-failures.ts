import type { FailureName } from 'rest-outcome';

const STATUS = 'The Study API answered with status {status}.';
const TIMEOUT = 'The Study API gave no whole answer within {deadlineMs} ms.';
const UNREADABLE = 'The Study API gave an answer that cannot be read.';

/** Message for clients of each failure, with placeholders of `toText`. A sentence on the outcome is appended. */
export const messages: Readonly<Record<FailureName, string>> = {
  unreachable: 'The Study API cannot be reached.',
  connectionLost: 'The connection to the Study API ended before it answered.',
  timeoutBeforeSending: TIMEOUT,
  timeout: TIMEOUT,
  timeoutInBody: TIMEOUT,
  unreadableAnswer: UNREADABLE,
  entityNotShown:
    'The Study API answered with status {status}, and the answer does not show the study.',
  cutAnswer: UNREADABLE,
  noRoom: 'The gateway had no room in memory for the answer of the Study API.',
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
  overloaded: 'The gateway has too many calls to the Study API under way.',
  circuitOpen: 'The Study API has failed too often of late to be asked again yet.',
  keyReused: 'The idempotency key was used before, with other arguments.',
  keyRefused: 'The gateway cannot hold idempotency keys at the moment.',
  keyUnsettled: 'The first call with this idempotency key has left no result.',
  answerNotKept:
    'The first call with this idempotency key succeeded, but its answer could not be kept.',
};

/** Failures in which the Study API refused the credentials of the call. */
export const ofCredentials: ReadonlySet<FailureName> = new Set(['unauthenticated', 'forbidden']);

/**
 * Mistakes of the client, logged as `info`: all others are warnings. So is `rateLimited`: if the API counts all callers as
 * one client, only an operator can get the limit raised.
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
  'keyUnsettled',
  'answerNotKept',
]);
