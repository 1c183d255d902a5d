import type { GraphQLError, GraphQLFormattedError } from 'graphql';

/** Maximum length of a message, in characters. Messages of graphql-js quote the document; Apollo's own are shorter. */
const MAX_MESSAGE_LENGTH = 400;
/** Maximum number of locations in one error. */
const MAX_LOCATIONS = 5;

/** Formats an error with which graphql-js, Apollo or a resolver refused a request before any REST call. */
export function formatGraphQLError(
  formatted: GraphQLFormattedError,
  error: GraphQLError,
): GraphQLFormattedError {
  const { message, locations, path, extensions } = formatted;
  // Two kinds of errors may have no code, and Apollo would call them server errors: an argument that graphql-js refuses
  // when it executes the field, and a request that Apollo cannot run.
  const code = error.extensions.code ?? (path ? 'BAD_USER_INPUT' : 'BAD_REQUEST');
  return {
    ...formatted,
    message: cut(message),
    ...(locations && { locations: locations.slice(0, MAX_LOCATIONS) }),
    extensions: { outcome: 'NOT_SENT', retryable: false, ...extensions, code },
  };
}

function cut(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`;
}
