import type { RestError } from '../rest/errors.js';
import { toText, type Failure, type FailureCode } from '../rest/failure.js';
import type { Outcome } from '../rest/rest-call.js';
import type { ValidationDetail } from '../rest/refusal-body.js';

/** An error about one value in the client's request. */
export interface FieldError {
  /** Path to the value, beginning with the argument's name: `["input", "progress", "total"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Message and `extensions` of an error. docs/errors.md says when each of the extensions is set. */
export interface Problem {
  readonly message: string;
  readonly code: FailureCode | 'INTERNAL_SERVER_ERROR';
  /** Refines `code`. */
  readonly reason?: Failure['reason'];
  readonly outcome?: Outcome | undefined;
  readonly retryable: boolean;
  readonly upstreamStatus?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly fieldErrors?: readonly FieldError[] | undefined;
  readonly upstreamMessage?: string | undefined;
}

/**
 * Converts a failed REST call to the error that the client gets.
 *
 * @param written outcome of the mutation field's write, from the ledger. Default: that of the error
 */
export function toRestProblem(error: RestError, written?: Outcome): Problem {
  const { code, reason, message } = error.meaning;
  const isRead = error.method === 'GET';
  // A read has no outcome once it was sent, because a read changes nothing.
  const seen = isRead && error.outcome !== 'NOT_SENT' ? undefined : error.outcome;
  const outcome = written ?? seen;
  const fieldErrors = error.details?.flatMap((detail) => toFieldErrors(detail, isRead)) ?? [];
  return {
    message: toMessage(message, error) + (outcome ? consequences[outcome] : ''),
    code,
    reason,
    outcome,
    retryable: error.is('retryable'),
    upstreamStatus: error.status,
    retryAfterSeconds: error.retryAfterSeconds,
    fieldErrors: fieldErrors.length > 0 ? fieldErrors : undefined,
    upstreamMessage: error.upstreamMessage,
  };
}

/** Sentences that follow a message. A refusal says only that it came: whether anything was changed was not seen. */
const consequences: Record<Outcome, string> = {
  NOT_SENT: ' Nothing was sent.',
  REJECTED: '',
  APPLIED: ' The change was made.',
  UNKNOWN: ' Whether the change was made is not known: check before repeating it.',
};

function toMessage(text: string, error: RestError): string {
  const told = toText(text, error);
  const { excess } = error;
  return excess === undefined ? told : `${told} It has ${excess}, which is the limit.`;
}

/**
 * Converts a validation error of the Study API to errors about GraphQL arguments: the REST body is the argument `input`,
 * the path parameter is `id`, and the query parameters of a read have the names of arguments. Drops errors about headers
 * and about the query of a write, because clients cannot set these.
 */
function toFieldErrors({ location, message }: ValidationDetail, isRead: boolean): FieldError[] {
  const [origin, ...rest] = location;
  if (origin === 'body') return [{ path: ['input', ...rest], message }];
  if (origin === 'query' && isRead) return [{ path: rest, message }];
  return origin === 'path' ? [{ path: ['id'], message }] : [];
}
