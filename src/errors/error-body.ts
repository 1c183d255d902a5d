import type { GraphQLFormattedError } from 'graphql';
import type { Refusal } from './refusal.js';

/** A GraphQL response before it becomes JSON. */
export interface GraphQLResponse {
  readonly errors?: readonly GraphQLFormattedError[] | undefined;
  readonly data?: unknown;
  readonly extensions?: unknown;
}

interface ErrorLimits {
  /** Maximum number of errors in one response; further errors are dropped, except the first of each root field. */
  readonly errors: number;
  /** Maximum size of all errors of a response as JSON, in bytes. The first errors of root fields may exceed this size. */
  readonly bytes: number;
}

/** Keeps a response that contains only errors within 16 KiB. */
const usual: ErrorLimits = { errors: 10, bytes: 13 * 1024 };
/**
 * Limits for a response with errors below its root fields, which execution/field-errors.ts has limited: none is dropped,
 * because a null without an error means that there is no value.
 */
const belowRoots: ErrorLimits = { errors: Infinity, bytes: Infinity };

/** Returns a response body for a request that is refused before an operation runs, in the format of GraphQL errors. */
export function toErrorBody(message: string, code: string, requestId?: string): object {
  return {
    errors: [{ message, extensions: { outcome: 'NOT_SENT', retryable: false, code, requestId } }],
  };
}

/** Like `toErrorBody`, for a refusal. */
export function toRefusalBody({ message, extensions }: Refusal, requestId: string): object {
  return { errors: [{ message, extensions: { ...extensions, requestId } }] };
}

/** Returns a response body for a failed request whose operation may have run: an error with the outcome `UNKNOWN`. */
export function unexpectedErrorBody(requestId?: string): string {
  const extensions = {
    outcome: 'UNKNOWN',
    retryable: false,
    code: 'INTERNAL_SERVER_ERROR',
    requestId,
  };
  return `${JSON.stringify({ errors: [{ message: 'Internal server error', extensions }] })}\n`;
}

interface ResponseError extends GraphQLFormattedError {
  readonly extensions: {
    code?: unknown;
    outcome?: unknown;
    retryAfterSeconds?: number;
    fieldErrors?: unknown[];
    [name: string]: unknown;
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
  const isBelowRoot = all.some(({ path = [] }) => path.length > 1);
  const limits = isBelowRoot ? belowRoots : usual;
  const identified = limitNumber(all, limits.errors).map((error) =>
    withRequestId(error, requestId),
  );
  const errors = limitSize(identified, limits.bytes);
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
  for (const { extensions } of errors) {
    if (extensions.outcome !== 'NOT_SENT') continue;
    const { code } = extensions;
    if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') return code;
  }
  return undefined;
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

function limitNumber(
  errors: readonly GraphQLFormattedError[],
  max: number,
): readonly GraphQLFormattedError[] {
  if (errors.length <= max) return errors;
  const required = findRequired(errors);
  let room = max - required.size;
  return errors.filter((error) => required.has(error) || room-- > 0);
}

/** Limits errors to `maxBytes`, from the last error on: first drops entries of `fieldErrors`, then whole errors. */
function limitSize(errors: readonly ResponseError[], maxBytes: number): readonly ResponseError[] {
  let excess = toSize(errors) - maxBytes;
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
