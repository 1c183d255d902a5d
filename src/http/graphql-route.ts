import { type ApolloServer, type GraphQLRequest, HeaderMap } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from 'rest-outcome';
import type { Context } from '../context.js';
import { Refusal } from '../errors/refusal.js';
import type { AppPart } from './app.js';
import { toPageHeaders } from './browsers.js';
import { sendResponse } from './response.js';

const howToAsk =
  'This is the GraphQL endpoint. Send it an operation by POST, with content-type: application/json and a body such as {"query":"{ __typename }","variables":{}}.';

/**
 * Headers of Apollo's landing page. The page's own Content-Security-Policy, with nonces, restricts what it loads; browsers
 * enforce both policies.
 */
const pageHeaders = { ...toPageHeaders("object-src 'none'"), 'content-type': 'text/html' };

/** What Apollo's HTTP layer needs to know of a browser that opens the address. */
const ofBrowser = {
  method: 'GET',
  search: '',
  headers: new HeaderMap([['accept', 'text/html']]),
  body: undefined,
};

/**
 * Adds `/graphql`, the bridge from Fastify to Apollo. GET serves Sandbox to browsers and runs queries of clients;
 * POST runs every operation.
 */
export function addGraphQL(
  apollo: ApolloServer<Context>,
  createContext: (request: FastifyRequest) => Context,
): AppPart {
  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { method, headers } = request;
    if (method === 'GET' && headers.accept?.includes('text/html')) {
      const page = await renderPage();
      if (page !== undefined) return void reply.headers(pageHeaders).send(page);
    }
    const operation = readOperation(request);
    const context = createContext(request);
    try {
      const { body, http } = await apollo.executeOperation(operation, { contextValue: context });
      if (body.kind !== 'single') throw new Error('Apollo returned an incremental response');
      if (http.status !== undefined) void reply.code(http.status);
      // Apollo's `cache-control` of some errors would replace `no-store`.
      for (const [name, value] of http.headers)
        if (name !== 'cache-control') void reply.header(name, value);
      sendResponse(body.singleResult, request, reply);
    } finally {
      // The response has been made: the answers of the Study API are no longer held.
      context.ledger.end();
      context.answerBytes.end();
    }
  }

  /** Returns the landing page of Apollo, or `undefined` if it is off. */
  async function renderPage(): Promise<string | undefined> {
    const { headers, body } = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: ofBrowser,
      context: () => Promise.reject(new Error('A page runs no operation.')),
    });
    const isPage = headers.get('content-type') === 'text/html' && body.kind === 'complete';
    return isPage ? body.string : undefined;
  }

  return (app) =>
    void app.route({
      method: ['GET', 'POST'],
      exposeHeadRoute: false,
      url: '/graphql',
      handler: (request, reply) =>
        void serve(request, reply).catch((error: unknown) => reply.send(error)),
    });
}

/**
 * A GET needs no protection against pages of other sites: it cannot write, and browsers add no bearer token by themselves.
 *
 * @throws Refusal when the request has no operation
 */
function readOperation(request: FastifyRequest): GraphQLRequest {
  const { method, headers, body } = request;
  const given = method === 'GET' ? readSearch(request) : body;
  if (!isOperation(given)) throw new Refusal('BAD_REQUEST', howToAsk);
  const { query, operationName, variables, extensions } = given;
  const http = {
    method,
    search: toSearch(request),
    body,
    // Copied when they are read: only added plugins do.
    get headers() {
      return new HeaderMap(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    },
  };
  return { query: query ?? undefined, operationName, variables, extensions, http };
}

type Operation = Required<Omit<GraphQLRequest, 'http'>>;

/** Returns whether Apollo can run a request. `null` and no value are the same to Apollo, except for `query`. */
function isOperation(given: unknown): given is Operation {
  if (!isJsonObject(given)) return false;
  const { query, operationName, variables, extensions } = given;
  const { persistedQuery }: { persistedQuery?: unknown } = Object(extensions);
  return (
    typeof (query ?? '') === 'string' &&
    // Apollo would make a text of any other hash, and an object may have none.
    typeof (Object(persistedQuery).sha256Hash ?? '') === 'string' &&
    typeof (operationName ?? '') === 'string' &&
    isJsonObject(variables ?? {}) &&
    isJsonObject(extensions ?? {}) &&
    (Boolean(query) || isJsonObject(extensions))
  );
}

/** Returns the operation in the query string, or `undefined` if its JSON is invalid. */
function readSearch(request: FastifyRequest): unknown {
  const parameters = new URLSearchParams(toSearch(request));
  const { variables = 'null', extensions = 'null', ...texts } = Object.fromEntries(parameters);
  try {
    return { ...texts, variables: JSON.parse(variables), extensions: JSON.parse(extensions) };
  } catch {
    return undefined;
  }
}

/** Returns the query string of the URL including its `?`, or '' without one. */
function toSearch({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
