import type { GraphQLFormattedError } from 'graphql';
import type { Outcome } from 'rest-outcome';
import type { Refusal } from './refusal.js';

/** A GraphQL response before it becomes JSON. */
export interface GraphQLResponse {
  readonly errors?: readonly GraphQLFormattedError[] | undefined;
  readonly data?: unknown;
  readonly extensions?: unknown;
}

/** Maximum number of errors of whole root fields. A query has at most ten root fields. */
const MAX_ERRORS = 10;
/** Maximum size of these errors as JSON, in bytes. Keeps the response within 16 KiB. */
const MAX_ERROR_BYTES = 13 * 1024;

/** Returns a response body for a request that is refused before an operation runs, in the format of GraphQL errors. */
export function toErrorBody(
  message: string,
  code: string,
  requestId: string,
  outcome: Outcome = 'NOT_SENT',
): object {
  return { errors: [{ message, extensions: { outcome, retryable: false, code, requestId } }] };
}

/** Like `toErrorBody`, for a refusal. */
export function toRefusalBody({ message, extensions }: Refusal, requestId: string): object {
  return { errors: [{ message, extensions: { ...extensions, requestId } }] };
}

/** Returns a response body for a failed request whose operation may have run: an error with the outcome `UNKNOWN`. */
export function unexpectedErrorBody(requestId: string): string {
  const code = 'INTERNAL_SERVER_ERROR';
  return `${JSON.stringify(toErrorBody('Internal server error', code, requestId, 'UNKNOWN'))}\n`;
}

interface ResponseError extends GraphQLFormattedError {
  readonly extensions: {
    code?: unknown;
    outcome?: unknown;
    retryAfterSeconds?: number;
    fieldErrors?: unknown[];
    requestId: string;
  };
}

/** A GraphQL response with errors, ready to send. */
export interface FinishedErrors {
  readonly response: GraphQLResponse;
  /** Longest `retryAfterSeconds` of the errors; `undefined` if no error has one. */
  readonly retryAfterSeconds: number | undefined;
  /** Code of the first error with which the gateway refused the caller before a call; `undefined` if there is none. */
  readonly refusal: 'UNAUTHENTICATED' | 'FORBIDDEN' | undefined;
}

/**
 * Adds the request's id to each error of a GraphQL response, and limits the errors in number and size. Drops no error below a
 * root field: a null without an error means that there is no value. error-limit.ts limits these errors.
 */
export function finishErrors(response: GraphQLResponse, requestId: string): FinishedErrors {
  const { errors: all = [], data, extensions } = response;
  let count = 0;
  const errors = all
    .filter((error) => isInner(error) || ++count <= MAX_ERRORS)
    .map((error) => withRequestId(error, requestId));
  limitFieldErrors(errors.filter((error) => !isInner(error)));
  const waits = errors.flatMap(({ extensions }) => extensions.retryAfterSeconds ?? []);
  return {
    response: { errors, data, extensions },
    retryAfterSeconds: waits.length > 0 ? Math.max(...waits) : undefined,
    refusal: findRefusal(errors),
  };
}

/** Returns whether an error is below a root field: of an entity, or of a field. */
function isInner({ path = [] }: GraphQLFormattedError): boolean {
  return path.length > 1;
}

function withRequestId(error: GraphQLFormattedError, requestId: string): ResponseError {
  return { ...error, extensions: { ...error.extensions, requestId } };
}

function findRefusal(errors: readonly ResponseError[]): FinishedErrors['refusal'] {
  return errors
    .filter(({ extensions }) => extensions.outcome === 'NOT_SENT')
    .map(({ extensions }) => extensions.code)
    .find((code) => code === 'UNAUTHENTICATED' || code === 'FORBIDDEN');
}

/** Keeps the first entries of `fieldErrors`, as many as there is room for beside the errors themselves. */
function limitFieldErrors(errors: readonly ResponseError[]): void {
  const bare = errors.map(({ extensions, ...error }) => ({
    ...error,
    extensions: { ...extensions, fieldErrors: undefined },
  }));
  let room = MAX_ERROR_BYTES - toSize(bare);
  for (const { extensions } of errors) {
    const kept = extensions.fieldErrors?.filter((entry) => (room -= toSize(entry)) >= 0);
    if (kept?.length) extensions.fieldErrors = kept;
    else delete extensions.fieldErrors;
  }
}

function toSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
