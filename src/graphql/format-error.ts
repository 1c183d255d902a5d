import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { RestError } from '../rest/errors.js';
import {
  IdempotencyKeyError,
  LoneSurrogateError,
  StudyContractError,
} from '../study/study.errors.js';
import { toRestProblem, type Problem } from './rest-problem.js';
import { toVariableError } from './variable-error.js';

/** What graphql-js knows better: names of fields, arguments, types and values that are near. */
const SUGGESTION = / ?Did you mean .*\?$/s;
/** A message of graphql-js quotes the client's own text, which may be long. The longest of Apollo's own fit. */
const MAX_MESSAGE_LENGTH = 400;
/** An error about many places names so many of them. */
const MAX_LOCATIONS = 5;

interface FormatOptions {
  /** Whether clients must know the schema without our help. */
  readonly hideSuggestions: boolean;
  /** Whether the token that the Study API sees is the gateway's, and not the caller's. */
  readonly isOwnToken: boolean;
}

/**
 * The one place that decides what a GraphQL client learns of an error. An error that is not listed here is
 * masked, so that nothing of the Study API's answer or of our own code gets out by accident.
 */
export function createFormatError({ hideSuggestions, isOwnToken }: FormatOptions) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const origin = unwrapResolverError(error);
    if (origin instanceof GraphQLError && !isBelowRoot(formatted))
      return formatGraphQLError(formatted, origin, hideSuggestions);
    const { message, ...extensions } = toProblem(origin);
    // The Study API has judged the gateway's own token: the caller's is none the worse for it.
    const isAboutUs =
      isOwnToken && (extensions.upstreamStatus === 401 || extensions.upstreamStatus === 403);
    const code = isAboutUs ? 'UPSTREAM_ERROR' : extensions.code;
    return { ...formatted, message, extensions: { ...extensions, code } };
  };
}

/**
 * Below a root field, or an item of one, the call has been made: an error of GraphQL's there would be a defect of
 * ours.
 */
function isBelowRoot({ path }: GraphQLFormattedError): boolean {
  return path !== undefined && path.filter((step) => typeof step === 'string').length > 1;
}

/** What GraphQL itself refuses, it refuses before a resolver has run. */
function formatGraphQLError(
  formatted: GraphQLFormattedError,
  error: GraphQLError,
  hideSuggestions: boolean,
): GraphQLFormattedError {
  const { locations, path, extensions } = formatted;
  const tidy = (message: string): string =>
    cut(hideSuggestions ? message.replace(SUGGESTION, '') : message);
  const variable = toVariableError(error);
  // Neither graphql-js, of an argument that turns out wrong when its field is executed, nor Apollo, of a request
  // that it cannot run, always gives a code; Apollo would call it an error of the server's.
  const code = error.extensions.code ?? (path ? 'BAD_USER_INPUT' : 'BAD_REQUEST');
  return {
    ...formatted,
    message: tidy(formatted.message),
    ...(locations && { locations: locations.slice(0, MAX_LOCATIONS) }),
    extensions: {
      outcome: 'NOT_SENT',
      retryable: false,
      ...extensions,
      code,
      ...(variable && { fieldErrors: [{ ...variable, message: tidy(variable.message) }] }),
    },
  };
}

function cut(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`;
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
      fieldErrors: [{ path: ['input', ...error.inputPath], message: error.message }],
    };
  if (error instanceof IdempotencyKeyError)
    return {
      message: error.message,
      code: 'BAD_USER_INPUT',
      outcome: 'NOT_SENT',
      retryable: false,
      fieldErrors: [{ path: ['idempotencyKey'], message: error.message }],
    };
  // A defect of ours. Whether it struck before or after the call is not known here.
  return {
    message: 'Internal server error',
    code: 'INTERNAL_SERVER_ERROR',
    outcome: 'UNKNOWN',
    retryable: false,
  };
}
