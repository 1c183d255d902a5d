import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { RestAnswerError, RestError, RestStatusError, RestTimeoutError } from '../rest/errors.js';
import type { Outcome } from '../rest/rest-call.js';
import type { ValidationDetail } from '../rest/validation-details.js';
import { LoneSurrogateError, StudyContractError } from '../study/study.errors.js';

/** What a client learns of one value of its request. */
interface FieldError {
  /** From the arguments of the field: `["input", "progress", "total"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The extensions of a failed field. Which of them are set, and when: README, "Errors". */
interface Problem {
  readonly message: string;
  readonly code: string;
  readonly outcome?: Outcome | undefined;
  readonly retryable: boolean;
  readonly upstreamStatus?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly fieldErrors?: readonly FieldError[] | undefined;
  readonly studyId?: string | undefined;
}

/**
 * The one place that decides what a GraphQL client learns of an error. An error that is not listed here is
 * masked, so that nothing of the Study API's answer or of our own code gets out by accident.
 */
export function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  const origin = unwrapResolverError(error);
  if (origin instanceof GraphQLError && !isBelowRoot(formatted))
    return formatGraphQLError(formatted, origin);
  const { message, ...extensions } = toProblem(origin);
  return { ...formatted, message, extensions };
}

/** Below a root field the call has been made: an error of GraphQL's there would be a defect of ours. */
function isBelowRoot({ path }: GraphQLFormattedError): boolean {
  return path !== undefined && path.length > 1;
}

/** What GraphQL itself refuses, it refuses before a resolver has run. */
function formatGraphQLError(
  formatted: GraphQLFormattedError,
  error: GraphQLError,
): GraphQLFormattedError {
  // graphql-js gives no code to an argument that turns out wrong when its field is executed.
  const fallback = formatted.path ? 'BAD_USER_INPUT' : formatted.extensions?.code;
  const code = error.extensions.code ?? fallback;
  return {
    ...formatted,
    extensions: { outcome: 'NOT_SENT', retryable: false, ...formatted.extensions, code },
  };
}

function toProblem(error: unknown): Problem {
  if (error instanceof RestError) return toRestProblem(error);
  if (error instanceof StudyContractError)
    return {
      message: error.message,
      code: 'UPSTREAM_CONTRACT',
      outcome: error.isWrite ? 'APPLIED' : undefined,
      retryable: false,
      studyId: error.isWrite ? error.studyId : undefined,
    };
  if (error instanceof LoneSurrogateError)
    return {
      message: error.message,
      code: 'BAD_USER_INPUT',
      outcome: 'NOT_SENT',
      retryable: false,
      fieldErrors: [{ path: ['input', ...error.path], message: error.message }],
    };
  // A defect of ours. Whether it struck before or after the call is not known here.
  return {
    message: 'Internal server error',
    code: 'INTERNAL_SERVER_ERROR',
    outcome: 'UNKNOWN',
    retryable: false,
  };
}

function toRestProblem(error: RestError): Problem {
  const isRead = error.method === 'GET';
  const wasSent = error.outcome !== 'NOT_SENT';
  const status = error instanceof RestStatusError ? error : undefined;
  return {
    message: toMessage(error, isRead),
    code: toCode(error),
    // A read changes nothing, so nothing can have become of it.
    outcome: isRead && wasSent ? undefined : error.outcome,
    retryable: isRetryable(error, isRead),
    upstreamStatus:
      error instanceof RestStatusError || error instanceof RestAnswerError
        ? error.status
        : undefined,
    retryAfterSeconds: status?.retryAfterSeconds,
    fieldErrors: status && status.details.length > 0 ? status.details.map(toFieldError) : undefined,
  };
}

function toCode(error: RestError): string {
  if (error instanceof RestTimeoutError) return 'UPSTREAM_TIMEOUT';
  if (error instanceof RestAnswerError) return 'UPSTREAM_CONTRACT';
  if (error instanceof RestStatusError) return toStatusCode(error.status);
  return 'UPSTREAM_UNAVAILABLE';
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
  if (error instanceof RestAnswerError) return 'The Study API gave an answer that cannot be read.';
  if (error instanceof RestStatusError)
    return `The Study API answered with status ${error.status}.`;
  return error.outcome === 'NOT_SENT'
    ? 'The Study API cannot be reached.'
    : 'The connection to the Study API ended before it answered.';
}

/** The REST body is the argument `input`, the parameter of the REST path the argument `id`. */
function toFieldError({ location, message }: ValidationDetail): FieldError {
  const [origin, ...rest] = location;
  if (origin === 'body') return { path: ['input', ...rest], message };
  if (origin === 'path') return { path: ['id'], message };
  return { path: location, message };
}
