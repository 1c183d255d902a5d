import { type GraphQLRequest, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { isJsonObject } from 'rest-outcome';

/** Returns the request in the form that Apollo expects. Copies the headers when they are read: few operations need them. */
export function toHttpRequest(request: FastifyRequest): HTTPGraphQLRequest {
  const { method, body } = request;
  let headers: HeaderMap | undefined;
  return {
    method,
    get headers() {
      return (headers ??= toHeaderMap(request));
    },
    search: toSearch(request),
    body,
  };
}

function toHeaderMap({ method, headers }: FastifyRequest): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, String(value));
  // Browsers add no bearer token by themselves, and a page of another site needs a preflight to send one. Other schemes
  // prove nothing: a browser sends Basic and Negotiate credentials with forged requests too.
  if (/^bearer /i.test(headers.authorization ?? '')) map.set('apollo-require-preflight', 'bearer');
  // Keeps the client's `accept` only for a GET that accepts HTML: Apollo may answer such a GET with its landing page.
  if (method !== 'GET' || !headers.accept?.includes('text/html'))
    map.set('accept', chooseContentType(headers.accept));
  return map;
}

/**
 * Reads the operation of a usual request: a POST of a JSON object with a query, which Apollo's HTTP layer would accept.
 * Returns `undefined` for any other request: Apollo's HTTP layer must answer that request.
 */
export function readPlainOperation(request: FastifyRequest): GraphQLRequest | undefined {
  const { method, body } = request;
  if (method !== 'POST' || !isJsonObject(body)) return undefined;
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string' || query === '') return undefined;
  if (!isAbsent(operationName) && typeof operationName !== 'string') return undefined;
  if (!isAbsent(variables) && !isJsonObject(variables)) return undefined;
  if (!isAbsent(extensions) && !isJsonObject(extensions)) return undefined;
  return {
    query,
    http: toHttpRequest(request),
    ...(!isAbsent(operationName) && { operationName }),
    ...(!isAbsent(variables) && { variables }),
    ...(!isAbsent(extensions) && { extensions }),
  };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Returns the query string of the URL including its `?`, or '' without one. */
export function toSearch({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

/** Matches each of the two types of a response, unless its quality is 0. */
const RESPONSE_TYPE = /application\/(graphql-response\+)?json(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/**
 * Returns the content type that `Accept` names first. An `Accept` that names none gets JSON all the same, as RFC 9110 §12.5.1
 * allows: Apollo would run the operation, even a write, and answer 406 instead of the result.
 */
export function chooseContentType(accept = ''): string {
  const [, isGraphQL] = RESPONSE_TYPE.exec(accept) ?? [];
  return `application/${isGraphQL ? 'graphql-response+json' : 'json'}; charset=utf-8`;
}
