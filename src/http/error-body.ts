/** The body of a request that no operation came out of, in the shape of every other GraphQL error. */
export function toErrorBody(message: string, code: string, requestId: string): object {
  return {
    errors: [{ message, extensions: { outcome: 'NOT_SENT', retryable: false, code, requestId } }],
  };
}

interface GraphQLBody {
  errors: { extensions?: object }[];
}

/**
 * Adds the request's id to each error of a GraphQL response. Apollo writes `errors` first, so a response
 * without any is passed on untouched.
 */
export function withRequestId(body: string, requestId: string): string {
  if (!body.startsWith('{"errors":')) return body;
  const parsed: GraphQLBody = JSON.parse(body);
  for (const error of parsed.errors) error.extensions = { ...error.extensions, requestId };
  return `${JSON.stringify(parsed)}\n`;
}
