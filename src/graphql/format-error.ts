import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { RestError } from '../rest/errors.js';
import { LoneSurrogateError, StudyContractError } from '../study/study.errors.js';
import { toRestProblem, type Problem } from './rest-problem.js';

/** What graphql-js knows better: names of fields, arguments, types and values that are near. */
const SUGGESTION = / ?Did you mean .*\?$/s;
/** A message of graphql-js quotes the client's own text, which may be long. */
const MAX_MESSAGE_LENGTH = 300;
/** An error about many places names so many of them. */
const MAX_LOCATIONS = 5;

/**
 * The one place that decides what a GraphQL client learns of an error. An error that is not listed here is
 * masked, so that nothing of the Study API's answer or of our own code gets out by accident.
 *
 * @param hideSuggestions whether clients must know the schema without our help
 */
export function createFormatError(hideSuggestions: boolean) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const origin = unwrapResolverError(error);
    if (origin instanceof GraphQLError && !isBelowRoot(formatted))
      return formatGraphQLError(formatted, origin, hideSuggestions);
    const { message, ...extensions } = toProblem(origin);
    return { ...formatted, message, extensions };
  };
}

/** Below a root field the call has been made: an error of GraphQL's there would be a defect of ours. */
function isBelowRoot({ path }: GraphQLFormattedError): boolean {
  return path !== undefined && path.length > 1;
}

/** What GraphQL itself refuses, it refuses before a resolver has run. */
function formatGraphQLError(
  formatted: GraphQLFormattedError,
  error: GraphQLError,
  hideSuggestions: boolean,
): GraphQLFormattedError {
  const { message, locations, path, extensions } = formatted;
  // graphql-js gives no code to an argument that turns out wrong when its field is executed.
  const code = error.extensions.code ?? (path ? 'BAD_USER_INPUT' : extensions?.code);
  return {
    ...formatted,
    message: cut(hideSuggestions ? message.replace(SUGGESTION, '') : message),
    ...(locations && { locations: locations.slice(0, MAX_LOCATIONS) }),
    extensions: { outcome: 'NOT_SENT', retryable: false, ...extensions, code },
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
  // A defect of ours. Whether it struck before or after the call is not known here.
  return {
    message: 'Internal server error',
    code: 'INTERNAL_SERVER_ERROR',
    outcome: 'UNKNOWN',
    retryable: false,
  };
}
