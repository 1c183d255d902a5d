import type { GraphQLRequestContext } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import {
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLFormattedError,
} from 'graphql';
import { cutQuotedTexts, cutScalarValue } from '../execution/quoted-value.js';
import { LongResponseError, TooManyErrorsError } from '../execution/field-errors.js';
import type { PlannedErrors } from '../execution/planned-execution.js';
import { RestError } from '../rest/errors.js';
import { ArgumentError, StudyContractError } from '../study/study.errors.js';
import type { Truth } from '../rest/operation.js';
import { toQuotesHint } from './quotes-hint.js';
import { findRefusedValue } from './refused-value.js';
import { toRestProblem, type Problem } from './rest-problem.js';
import type { OperationListener } from './operation-listener.js';
import type { OperationContext } from './request-context.js';

/** Begin of the suggestion that graphql-js appends to a message: similar names from the schema, and a question mark. */
const SUGGESTION = 'Did you mean ';
/** Maximum length of a message, in characters. Messages of graphql-js quote the request; Apollo's own messages are shorter. */
const MAX_MESSAGE_LENGTH = 400;
/** Maximum number of locations in one error. */
const MAX_LOCATIONS = 5;

interface FormatOptions {
  /** In production, errors have no suggestions of graphql-js. */
  readonly isProduction: boolean;
  /** With `service`, a token that the Study API refuses is the gateway's own, not the caller's. */
  readonly authMode: 'forward' | 'service';
  /** Token that the emulator accepts. With `forward`, messages of `UNAUTHENTICATED` errors name this token. */
  readonly demoToken?: string | undefined;
}

/** The part of Apollo's request context that identifies the document and the writes of a failed operation. */
type Failed = Pick<
  GraphQLRequestContext<OperationContext>,
  'document' | 'operation' | 'contextValue'
>;

/** What is known of an error beyond the error itself. */
interface Origin {
  /** `undefined` if there is no document, or it cannot be parsed. */
  readonly document?: DocumentNode | undefined;
  /** What became of the write of the mutation field; `undefined` for an error of a query. */
  readonly truth?: Truth | undefined;
}

export interface ErrorFormat extends PlannedErrors<OperationContext> {
  readonly formatError: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;
  /** Reads for `formatError` the document of each error, and what became of the write of each failed mutation field. */
  readonly listener: OperationListener<OperationContext>;
}

/**
 * Creates the functions that decide what a GraphQL client learns of an error. No other code decides this. Unknown errors
 * are masked, so that no answer of the Study API and no detail of our code leaks. The `outcome` of a failed mutation
 * field comes from the operation's ledger, not from the kind of error.
 */
export function createErrorFormat(options: FormatOptions): ErrorFormat {
  const { isProduction, authMode } = options;
  const isOwnToken = authMode === 'service';
  const demoToken = isOwnToken ? undefined : options.demoToken;
  const origins = new WeakMap<object, Origin>();

  function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const told = toTold(formatted, error);
    if (demoToken === undefined || told.extensions?.['code'] !== 'UNAUTHENTICATED') return told;
    return { ...told, message: `${told.message} The emulator's token is ${demoToken}.` };
  }

  function toTold(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const origin = unwrapResolverError(error);
    const { document, truth: listed } = (error instanceof GraphQLError && origins.get(error)) || {};
    const truth = listed && toProvedTruth(listed, origin);
    const isUnsent = !truth || truth.outcome === 'NOT_SENT';
    if (origin instanceof GraphQLError && isUnsent && !isBelowRoot(formatted))
      return withTruth(formatGraphQLError(formatted, origin, document, isProduction), truth);
    const { message, ...extensions } = toProblem(origin, truth);
    // The Study API refused the gateway's own token, so the caller must not be told that its token is wrong.
    const isAboutUs = isOwnToken && origin instanceof RestError && origin.meaning.judgesToken;
    const code = isAboutUs ? 'UPSTREAM_ERROR' : extensions.code;
    const reasons = isAboutUs && { fieldErrors: undefined, upstreamMessage: undefined };
    const told = { ...extensions, ...reasons, code };
    return withTruth({ ...formatted, message, extensions: told }, truth);
  }

  function noteErrors(errors: readonly GraphQLError[], failed: Failed): void {
    const { document, operation, contextValue } = failed;
    const isMutation = operation?.operation === OperationTypeNode.MUTATION;
    contextValue.operation.end();
    for (const error of errors) {
      const name = error.path && String(error.path[0]);
      const truth = isMutation ? contextValue.operation.toTruth(name) : undefined;
      origins.set(error, { document, truth });
    }
  }

  return {
    formatError,
    listener: { didEncounterErrors: async (failed) => noteErrors(failed.errors, failed) },
    isExpected,
    formatErrors(errors, failed) {
      noteErrors(errors, failed);
      return errors.map((error) => formatError(error.toJSON(), error));
    },
  };
}

/** Believes a failed write that the ledger lacks: `NOT_SENT` needs a proof. */
function toProvedTruth(truth: Truth, origin: unknown): Truth {
  const isMissing = truth.outcome === 'NOT_SENT' && origin instanceof RestError;
  if (!isMissing || origin.method === 'GET') return truth;
  const { outcome } = origin;
  return {
    outcome,
    isRepeatable: truth.isRepeatable && ['NOT_SENT', 'REJECTED'].includes(outcome),
  };
}

/**
 * Sets what became of the write of a mutation field. `retryable` is false if any root field may have written, because a
 * repeat of the operation would write again.
 */
function withTruth(
  formatted: GraphQLFormattedError,
  truth: Truth | undefined,
): GraphQLFormattedError {
  if (!truth) return formatted;
  const { outcome, id, isRepeatable } = truth;
  const { retryable, ...others } = formatted.extensions ?? {};
  const told = { ...others, outcome, retryable: retryable === true && isRepeatable };
  return { ...formatted, extensions: id === undefined ? told : { ...told, studyId: id } };
}

/** Returns true for a resolver's error that is no defect of the gateway, and does not change the HTTP response. */
function isExpected(error: unknown): boolean {
  if (error instanceof GraphQLError)
    return error.extensions['outcome'] === 'NOT_SENT' && error.extensions['http'] === undefined;
  return error instanceof RestError || error instanceof ArgumentError;
}

/** Returns true for an error below a root field. GraphQL refuses nothing there, because the REST call is over. */
function isBelowRoot({ path }: GraphQLFormattedError): boolean {
  return path !== undefined && path.filter((step) => typeof step === 'string').length > 1;
}

/** Formats an error with which graphql-js, Apollo or a resolver refused a request before any REST call. */
function formatGraphQLError(
  formatted: GraphQLFormattedError,
  error: GraphQLError,
  document: DocumentNode | undefined,
  hideSuggestions: boolean,
): GraphQLFormattedError {
  const { locations, path, extensions } = formatted;
  const refused = document && findRefusedValue(error, document, path !== undefined);
  const places = [...(locations ?? []), ...(refused?.usedAt ? [refused.usedAt] : [])];
  const hint = toQuotesHint(error);
  const tidy = (message: string): string => {
    const told = hideSuggestions ? withoutSuggestion(message) : message;
    return cut(cutQuotedTexts(cutScalarValue(told)) + hint);
  };
  // Two kinds of errors may have no code, and Apollo would call them server errors: an argument that graphql-js refuses
  // when it executes the field, and a request that Apollo cannot run.
  const code = error.extensions.code ?? (path ? 'BAD_USER_INPUT' : 'BAD_REQUEST');
  return {
    ...formatted,
    message: tidy(formatted.message),
    ...(places.length > 0 && { locations: places.slice(0, MAX_LOCATIONS) }),
    extensions: {
      outcome: 'NOT_SENT',
      retryable: false,
      ...extensions,
      code,
      ...(refused && {
        fieldErrors: [{ path: refused.path, message: tidy(refused.message) }],
      }),
    },
  };
}

/** Takes linear time. The names in a suggestion cannot contain the begin of another suggestion. */
function withoutSuggestion(message: string): string {
  const start = message.endsWith('?') ? message.lastIndexOf(SUGGESTION) : -1;
  return start === -1 ? message : message.slice(0, start).trimEnd();
}

function cut(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`;
}

/** @param truth what became of the write of a mutation field; `undefined` for a query */
function toProblem(error: unknown, truth: Truth | undefined): Problem {
  if (error instanceof RestError) return toRestProblem(error, truth?.outcome);
  if (error instanceof LongResponseError)
    return { message: error.message, code: 'BAD_USER_INPUT', retryable: false };
  if (error instanceof StudyContractError || error instanceof TooManyErrorsError)
    return { message: error.message, code: 'UPSTREAM_CONTRACT', retryable: false };
  if (error instanceof ArgumentError)
    return {
      message: error.message,
      code: 'BAD_USER_INPUT',
      outcome: 'NOT_SENT',
      retryable: false,
      fieldErrors: [{ path: error.argumentPath, message: error.message }],
    };
  // A defect of the gateway does not tell whether a call was made; the ledger of a mutation does.
  return {
    message: 'Internal server error',
    code: 'INTERNAL_SERVER_ERROR',
    outcome: 'UNKNOWN',
    retryable: false,
  };
}
