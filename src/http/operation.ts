import { type GraphQLRequest, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { isJsonObject } from 'rest-outcome';

/** A Fastify request in the form that Apollo expects. Copies the headers when they are first read. */
export class HttpRequest implements HTTPGraphQLRequest {
  #headers: HeaderMap | undefined;

  constructor(private readonly request: FastifyRequest) {}

  get method(): string {
    return this.request.method;
  }

  get headers(): HeaderMap {
    return (this.#headers ??= toHeaderMap(this.request));
  }

  get search(): string {
    return toSearch(this.request);
  }

  get body(): unknown {
    return this.request.body;
  }
}

function toHeaderMap({ method, headers }: FastifyRequest): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  // Browsers add no bearer token by themselves, and a page of another site needs a preflight to send one. Other schemes
  // prove nothing: a browser sends Basic and Negotiate credentials with forged requests too.
  if (headers.authorization && /^bearer /i.test(headers.authorization))
    map.set('apollo-require-preflight', 'bearer');
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
  const operation: GraphQLRequest = { query, http: new HttpRequest(request) };
  if (!isAbsent(operationName)) operation.operationName = operationName;
  if (!isAbsent(variables)) operation.variables = variables;
  if (!isAbsent(extensions)) operation.extensions = extensions;
  return operation;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Returns the query string of the URL including its `?`, or '' without one. */
export function toSearch({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

const json = 'application/json; charset=utf-8';
const graphqlJson = 'application/graphql-response+json; charset=utf-8';

/** Maximum length of an `Accept` header that is negotiated, in characters: 16 KiB would take 30 ms of CPU. */
const MAX_ACCEPT_LENGTH = 1_000;

/** Content types by `Accept` header. Negotiation takes up to 16 µs for the header of a usual client. */
const contentTypes = new LRUCache<string, string>({
  max: 100,
  memoMethod: (accept) =>
    new Negotiator({ headers: { accept } }).mediaType([json, graphqlJson]) ?? json,
});

/**
 * Chooses the content type of an answer. An `Accept` that admits neither type gets JSON all the same, as RFC 9110
 * §12.5.1 allows: Apollo would run the operation, even a write, and answer 406 instead of the result.
 */
export function chooseContentType(accept = '*/*'): string {
  return accept.length > MAX_ACCEPT_LENGTH ? json : contentTypes.memo(accept);
}
