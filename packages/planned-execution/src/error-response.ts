import {
  HeaderMap,
  type ApolloServerOptions,
  type BaseContext,
  type GraphQLRequestContext,
  type GraphQLRequestListener,
  type GraphQLResponse,
  type HTTPGraphQLHead,
} from '@apollo/server';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';

/** The error handling of an Apollo Server, which Apollo does not call when a listener answers. */
export type ErrorHandling<Context extends BaseContext> = Pick<
  ApolloServerOptions<Context> & GraphQLRequestListener<Context>,
  'formatError' | 'didEncounterErrors'
>;

/** Creates a response with errors as Apollo does: calls the hook, formats the errors, and sets `extensions.http`. */
export async function toErrorResponse<Context extends BaseContext>(
  errors: readonly GraphQLError[],
  requestContext: GraphQLRequestContext<Context>,
  { formatError = (formatted) => formatted, didEncounterErrors }: ErrorHandling<Context>,
  data?: Record<string, unknown>,
): Promise<GraphQLResponse> {
  await didEncounterErrors?.(Object.assign(requestContext, { errors }));
  const http: HTTPGraphQLHead = { headers: new HeaderMap() };
  const toFormatted = (error: GraphQLError): GraphQLFormattedError => {
    const { http: given, ...extensions } = error.extensions;
    const { status, headers }: Partial<HTTPGraphQLHead> = Object(given);
    if (status) http.status = status;
    for (const [name, value] of headers ?? []) http.headers.set(name, value);
    extensions['code'] ??= 'INTERNAL_SERVER_ERROR';
    try {
      return formatError({ ...error.toJSON(), extensions }, error);
    } catch {
      return { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
    }
  };
  const singleResult = { errors: errors.map(toFormatted), ...(data && { data }) };
  return { http, body: { kind: 'single', singleResult } };
}

/** Calls `create` while V8 captures no stack traces: the stack of an expected error costs more than the rest of the error. */
export function withoutStack<Result>(create: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
