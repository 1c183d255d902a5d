import {
  RestAnswerError,
  RestCircuitOpenError,
  RestCutAnswerError,
  RestNoRoomError,
  RestOverloadedError,
  RestStatusError,
  RestTimeoutError,
  type RestError,
} from '../rest/errors.js';
import {
  RestAnswerNotKeptError,
  RestKeyRefusedError,
  RestKeyReusedError,
  RestKeyUnsettledError,
} from '../rest/idempotency-errors.js';
import type { Outcome } from '../rest/rest-call.js';
import type { ValidationDetail } from '../rest/validation-details.js';

/** What a client learns of one value of its request. */
export interface FieldError {
  /** From the arguments of the field: `["input", "progress", "total"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The extensions of a failed field. Which of them are set, and when: docs/errors.md. */
export interface Problem {
  readonly message: string;
  readonly code: string;
  /** What of several things with one code it was. */
  readonly reason?: 'IDEMPOTENCY_KEY_REUSED' | undefined;
  readonly outcome?: Outcome | undefined;
  readonly retryable: boolean;
  readonly upstreamStatus?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly fieldErrors?: readonly FieldError[] | undefined;
  readonly studyId?: string | undefined;
}

/** What a client learns of a call that failed. */
export function toRestProblem(error: RestError): Problem {
  const isRead = error.method === 'GET';
  const wasSent = error.outcome !== 'NOT_SENT';
  const fieldErrors = error instanceof RestStatusError ? error.details.flatMap(toFieldErrors) : [];
  return {
    message: toMessage(error, isRead),
    code: toCode(error),
    reason: error instanceof RestKeyReusedError ? 'IDEMPOTENCY_KEY_REUSED' : undefined,
    // A read changes nothing, so nothing can have become of it.
    outcome: isRead && wasSent ? undefined : error.outcome,
    retryable: isRetryable(error, isRead),
    upstreamStatus: error.status,
    retryAfterSeconds: error.retryAfterSeconds,
    fieldErrors: fieldErrors.length > 0 ? fieldErrors : undefined,
  };
}

function toCode(error: RestError): string {
  if (error instanceof RestTimeoutError || error instanceof RestKeyUnsettledError)
    return 'UPSTREAM_TIMEOUT';
  if (isUnreadable(error) || error instanceof RestAnswerNotKeptError) return 'UPSTREAM_CONTRACT';
  if (error instanceof RestStatusError) return toStatusCode(error.status);
  if (isOverload(error)) return 'OVERLOADED';
  if (error instanceof RestKeyReusedError) return 'BAD_USER_INPUT';
  return 'UPSTREAM_UNAVAILABLE';
}

function isOverload(error: RestError): boolean {
  return (
    error instanceof RestOverloadedError ||
    error instanceof RestKeyRefusedError ||
    error instanceof RestNoRoomError
  );
}

function isUnreadable(error: RestError): boolean {
  return error instanceof RestAnswerError || error instanceof RestCutAnswerError;
}

function toStatusCode(status: number): string {
  switch (status) {
    case 400:
    case 413:
    case 422:
      return 'BAD_USER_INPUT';
    case 401:
      return 'UNAUTHENTICATED';
    case 403:
      return 'FORBIDDEN';
    case 404:
    case 410:
      return 'NOT_FOUND';
    case 409:
    case 412:
      return 'CONFLICT';
    case 429:
      return 'RATE_LIMITED';
    default:
      // A 3xx is an answer that we do not follow; every other status is an error of the Study API's own.
      return status < 400 ? 'UPSTREAM_CONTRACT' : 'UPSTREAM_ERROR';
  }
}

/** Whether the same call can be repeated without doing anything twice, and may then go better. */
function isRetryable(error: RestError, isRead: boolean): boolean {
  if (error instanceof RestKeyReusedError) return false;
  if (error.outcome === 'NOT_SENT') return true;
  if (error instanceof RestStatusError)
    return error.status === 429 || (isRead && error.status >= 500);
  return isRead && !(error instanceof RestAnswerError);
}

const consequences: Record<Outcome, string> = {
  NOT_SENT: 'Nothing was sent.',
  REJECTED: 'Nothing was changed.',
  APPLIED: 'The change was made.',
  UNKNOWN: 'Whether the change was made is not known: check before repeating it.',
};

function toMessage(error: RestError, isRead: boolean): string {
  const consequence =
    isRead && error.outcome !== 'NOT_SENT' ? '' : ` ${consequences[error.outcome]}`;
  return toReason(error) + consequence;
}

function toReason(error: RestError): string {
  if (error instanceof RestTimeoutError)
    return `The Study API gave no whole answer within ${error.deadlineMs} ms.`;
  if (isUnreadable(error)) return 'The Study API gave an answer that cannot be read.';
  if (error instanceof RestStatusError)
    return `The Study API answered with status ${error.status}.`;
  if (error instanceof RestOverloadedError)
    return 'The gateway has too many calls to the Study API under way.';
  if (error instanceof RestNoRoomError)
    return 'The gateway had no room in memory for the answer of the Study API.';
  if (error instanceof RestCircuitOpenError)
    return 'The Study API has failed too often of late to be asked again yet.';
  if (error instanceof RestKeyReusedError)
    return 'The idempotency key was used before, with other arguments.';
  if (error instanceof RestKeyRefusedError)
    return 'The gateway cannot hold idempotency keys at the moment.';
  if (error instanceof RestKeyUnsettledError)
    return 'The first call with this idempotency key has left no result.';
  if (error instanceof RestAnswerNotKeptError)
    return 'The first call with this idempotency key succeeded, but its answer could not be kept.';
  return error.outcome === 'NOT_SENT'
    ? 'The Study API cannot be reached.'
    : 'The connection to the Study API ended before it answered.';
}

/**
 * The REST body is the argument `input`, the parameter of the REST path the argument `id`. What the API says
 * of a header or a query is not for the client, who sent none.
 */
function toFieldErrors({ location, message }: ValidationDetail): FieldError[] {
  const [origin, ...rest] = location;
  if (origin === 'body') return [{ path: ['input', ...rest], message }];
  return origin === 'path' ? [{ path: ['id'], message }] : [];
}
