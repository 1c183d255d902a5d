import { toText, type FailureName, type Outcome, type RestError } from 'rest-outcome';

const STATUS = 'The Study API answered with status {status}.';
const TIMEOUT = 'The Study API did not answer completely within {deadlineMs} ms.';
const UNREADABLE = 'The answer of the Study API cannot be read.';

/** Message of each failure for clients, with placeholders of `toText`: a row for each row of `failures`. */
export const failureMessages: Readonly<Record<FailureName, string>> = {
  unreachable: 'The Study API cannot be reached.',
  connectionLost: 'The connection to the Study API ended before it answered.',
  timeoutBeforeSending: TIMEOUT,
  timeout: TIMEOUT,
  timeoutInBody: TIMEOUT,
  unreadableAnswer: UNREADABLE,
  entityNotShown:
    'The Study API answered with status {status}, and the answer does not show the {noun}.',
  tooLong: 'The answer of the Study API is longer than the limit.',
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
  circuitOpen: 'The circuit breaker is open: too many recent calls failed.',
  keyReused: 'The idempotency key was used before, with other arguments.',
  keyRefused: 'The gateway cannot hold idempotency keys at the moment.',
  keyUnsettled: 'What became of the first call with this idempotency key is not known.',
  keyApplied: 'The first call with this idempotency key was applied. Its study cannot be read now.',
};

/** Sentences that follow a message. A refusal says only that it came: whether anything was changed was not seen. */
const consequences: Record<Outcome, string> = {
  NOT_SENT: ' Nothing was sent.',
  REJECTED: '',
  APPLIED: ' The change was made.',
  UNKNOWN: ' Whether the change was made is not known: check before repeating it.',
};

/** @param outcome `undefined` for a read that was sent */
export function toMessage(error: RestError, outcome: Outcome | undefined): string {
  return toText(failureMessages[error.failure], error) + (outcome ? consequences[outcome] : '');
}

/** Failures in which the Study API refused the credentials of the call. */
export const ofCredentials: ReadonlySet<FailureName> = new Set(['unauthenticated', 'forbidden']);
