import type { RestError } from '../rest/errors.js';
import type { Failure, FailureCode } from '../rest/failures.js';
import type { Outcome } from '../rest/rest-call.js';
import type { ValidationDetail } from '../rest/validation-details.js';

/** What a client learns of one value of its request. */
export interface FieldError {
  /** From the arguments of the field: `["input", "progress", "total"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The extensions of a failed field. docs/errors.md says which of them are set, and when. */
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
  readonly studyId?: string | undefined;
}

/** What a client learns of a call that failed. */
export function toRestProblem(error: RestError): Problem {
  const { code, reason, message } = error.meaning;
  const isRead = error.method === 'GET';
  // A read changes nothing, so nothing can have become of it.
  const outcome = isRead && error.outcome !== 'NOT_SENT' ? undefined : error.outcome;
  const fieldErrors = error.details?.flatMap((detail) => toFieldErrors(detail, isRead)) ?? [];
  return {
    message: toMessage(message, error) + (outcome ? ` ${consequences[outcome]}` : ''),
    code,
    reason,
    outcome,
    retryable: error.is('retryable'),
    upstreamStatus: error.status,
    retryAfterSeconds: error.retryAfterSeconds,
    fieldErrors: fieldErrors.length > 0 ? fieldErrors : undefined,
  };
}

const consequences: Record<Outcome, string> = {
  NOT_SENT: 'Nothing was sent.',
  REJECTED: 'Nothing was changed.',
  APPLIED: 'The change was made.',
  UNKNOWN: 'Whether the change was made is not known: check before repeating it.',
};

function toMessage(text: string, { status, deadlineMs }: RestError): string {
  return text.replace('{status}', String(status)).replace('{deadlineMs}', String(deadlineMs));
}

/**
 * The REST body is the argument `input`, the parameter of the REST path the argument `id`, and the query of a read has the
 * names of arguments. A complaint about a header, or about the query of a write, is not for the client, who sent neither.
 */
function toFieldErrors({ location, message }: ValidationDetail, isRead: boolean): FieldError[] {
  const [origin, ...rest] = location;
  if (origin === 'body') return [{ path: ['input', ...rest], message }];
  if (origin === 'query' && isRead) return [{ path: rest, message }];
  return origin === 'path' ? [{ path: ['id'], message }] : [];
}
