import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { toChallenge } from '../auth/caller.js';

/** Matches each of the two types of a response, unless its quality is 0. */
const RESPONSE_TYPE = /application\/(graphql-response\+)?json(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/**
 * Returns the content type that `Accept` names first. An `Accept` that names none gets JSON all the same, as RFC 9110 §12.5.1
 * allows: a write has run, and 406 in place of its result would hide what became of it.
 */
function chooseContentType(accept = ''): string {
  const [, isGraphQL] = RESPONSE_TYPE.exec(accept) ?? [];
  return `application/${isGraphQL ? 'graphql-response+json' : 'json'}; charset=utf-8`;
}

/** Sends a GraphQL response. Adds the request's id to each error, and sets the headers that the errors ask for. */
export function sendResponse(
  { errors: all, data, extensions }: FormattedExecutionResult<unknown>,
  { id, headers: { accept, authorization } }: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header('content-type', chooseContentType(accept));
  const errors = all?.map((error) => ({
    ...error,
    extensions: { ...error.extensions, requestId: id },
  }));
  if (errors) void reply.headers(toHeaders(errors, authorization));
  void reply.send(JSON.stringify({ errors, data, extensions }));
}

/** Returns the longest wait that the errors name, and the challenge of the first refusal of a caller. */
function toHeaders(errors: readonly GraphQLFormattedError[], authorization: string | undefined) {
  const headers: Record<string, string> = {};
  const waits = errors.flatMap(({ extensions }) => extensions?.['retryAfterSeconds'] ?? []);
  if (waits.length > 0) headers['retry-after'] = String(Math.max(...waits.map(Number)));
  const code = errors
    .filter(({ extensions }) => extensions?.['outcome'] === 'NOT_SENT')
    .map(({ extensions }) => extensions?.['code'])
    .find((code) => code === 'UNAUTHENTICATED' || code === 'FORBIDDEN');
  if (code) headers['www-authenticate'] = toChallenge(code, authorization);
  return headers;
}
