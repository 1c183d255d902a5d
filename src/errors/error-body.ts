import type { GraphQLFormattedError } from 'graphql';
import type { Outcome } from 'rest-outcome';
import type { Refusal } from './refusal.js';

/** A GraphQL response before it becomes JSON. */
export interface GraphQLResponse {
  readonly errors?: readonly GraphQLFormattedError[] | undefined;
  readonly data?: unknown;
  readonly extensions?: unknown;
}

/** Maximum number of errors in a response that contains only errors; the first of each root field is kept in any case. */
const MAX_ERRORS = 10;
/** Maximum size of these errors as JSON, in bytes. Keeps the response within 16 KiB. */
const MAX_ERROR_BYTES = 13 * 1024;

/** Returns a response body for a request that is refused before an operation runs, in the format of GraphQL errors. */
export function toErrorBody(
  message: string,
  code: string,
  requestId?: string,
  outcome: Outcome = 'NOT_SENT',
): object {
  return { errors: [{ message, extensions: { outcome, retryable: false, code, requestId } }] };
}

/** Like `toErrorBody`, for a refusal. */
export function toRefusalBody({ message, extensions }: Refusal, requestId: string): object {
  return { errors: [{ message, extensions: { ...extensions, requestId } }] };
}

/** Returns a response body for a failed request whose operation may have run: an error with the outcome `UNKNOWN`. */
export function unexpectedErrorBody(requestId?: string): string {
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

/** Returns whether the body of a GraphQL response has errors: Apollo writes `errors` first. */
export function hasErrors(body: string): boolean {
  return body.startsWith('{"errors":');
}

/**
 * Adds the request's id to each error of a GraphQL response, and limits the errors in number and size. Keeps the first
 * error of each root field in any case: without an error, a null would be a value.
 */
export function finishErrors(response: GraphQLResponse, requestId: string): FinishedErrors {
  const { errors: all = [], data, extensions } = response;
  // planned-execution has limited the errors below root fields. None is dropped, because a null without an error
  // means that there is no value.
  const isBelowRoot = all.some(({ path = [] }) => path.length > 1);
  const kept = isBelowRoot ? all : limitNumber(all);
  const identified = kept.map((error) => withRequestId(error, requestId));
  const errors = isBelowRoot ? identified : limitSize(identified);
  const waits = errors.flatMap(({ extensions }) => extensions.retryAfterSeconds ?? []);
  return {
    response: { errors, data, extensions },
    retryAfterSeconds: waits.length > 0 ? Math.max(...waits) : undefined,
    refusal: findRefusal(errors),
  };
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

/** Returns the errors that no limit may drop: the first error of each root field, and the first without a path. */
function findRequired<Item extends GraphQLFormattedError>(
  errors: readonly Item[],
): ReadonlySet<Item> {
  const byRoot = new Map<unknown, Item>();
  for (const error of errors) {
    const root = error.path?.[0];
    if (!byRoot.has(root)) byRoot.set(root, error);
  }
  return new Set(byRoot.values());
}

function limitNumber(errors: readonly GraphQLFormattedError[]): readonly GraphQLFormattedError[] {
  if (errors.length <= MAX_ERRORS) return errors;
  const required = findRequired(errors);
  let room = MAX_ERRORS - required.size;
  return errors.filter((error) => required.has(error) || room-- > 0);
}

/** Limits the size of errors, from the last error on: first drops entries of `fieldErrors`, then whole errors. */
function limitSize(errors: readonly ResponseError[]): readonly ResponseError[] {
  let excess = toSize(errors) - MAX_ERROR_BYTES;
  for (const { extensions } of errors.toReversed()) {
    if (!extensions.fieldErrors) continue;
    const fieldErrors = [...extensions.fieldErrors];
    while (excess > 0 && fieldErrors.length > 0) excess -= toSize(fieldErrors.pop());
    if (fieldErrors.length > 0) extensions.fieldErrors = fieldErrors;
    else delete extensions.fieldErrors;
  }
  if (excess <= 0) return errors;
  const required = findRequired(errors);
  const isKept = (error: ResponseError): boolean => {
    if (excess <= 0 || required.has(error)) return true;
    excess -= toSize(error);
    return false;
  };
  return errors.toReversed().filter(isKept).toReversed();
}

function toSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
