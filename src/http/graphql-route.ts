import {
  type ApolloServer,
  type GraphQLRequest,
  HeaderMap,
  type HTTPGraphQLHead,
  type HTTPGraphQLRequest,
} from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from 'rest-outcome';
import { toChallenge } from '../auth/caller.js';
import type { Context } from '../context.js';
import { finishErrors, unexpectedErrorBody, type GraphQLResponse } from '../errors/error-body.js';
import { Refusal } from '../errors/refusal.js';
import { parseExactJson } from '../json/parse-json.js';
import type { AppPart } from './app.js';
import { createPageHeaders } from './browsers.js';
import type { LogRefusal } from './refusals.js';

const howToAsk =
  'This is the GraphQL endpoint. Send it an operation by POST, with content-type: application/json and a body such as {"query":"{ __typename }"}.';

/**
 * Headers of Apollo's landing page. The page's own Content-Security-Policy, with nonces, restricts what it loads; browsers
 * enforce both policies.
 */
const setPageHeaders = createPageHeaders({ objectSrc: ["'none'"] });

/**
 * Adds `/graphql`, the bridge from Fastify to Apollo. GET serves Sandbox to browsers and runs queries of clients;
 * POST runs every operation.
 */
export function addGraphQL(
  apollo: ApolloServer<Context>,
  createContext: (request: FastifyRequest) => Context,
  logRefusal: LogRefusal,
): AppPart {
  /** Sends every answer itself, and never rejects. */
  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    let context: Context | undefined;
    const toContext = (): Context => (context = createContext(request));
    void reply.header('content-type', chooseContentType(request.headers.accept));
    try {
      const { method, body } = request;
      // Apollo's HTTP layer takes more CPU, and is needed only for what it refuses, and for GET.
      if (method !== 'POST' || !isPlain(body)) return await answerByHttp(toContext, request, reply);
      const { query, operationName, variables, extensions } = body;
      const { body: result, http } = await apollo.executeOperation(
        { query, operationName, variables, extensions, http: new ApolloRequest(request) },
        { contextValue: toContext() },
      );
      if (result.kind !== 'single') throw new Error('Apollo returned an incremental response');
      setHead(reply, http);
      send(result.singleResult, request, reply);
    } catch (error) {
      // The app's error handler would claim `NOT_SENT`.
      request.log.error({ err: error, requestId: request.id }, 'a request failed');
      void reply.code(500).send(unexpectedErrorBody(request.id));
    } finally {
      // The response has been made: the answers of the Study API are no longer held.
      context?.ledger.end();
      context?.answerBytes.end();
    }
  }

  async function answerByHttp(
    toContext: () => Context,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { body, ...head } = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: new ApolloRequest(request),
      context: async () => toContext(),
    });
    if (body.kind !== 'complete') throw new Error('Apollo returned an incremental response');
    setHead(reply, head);
    if (head.headers.get('content-type')?.startsWith('text/html')) {
      setPageHeaders(reply);
      return void reply.send(body.string);
    }
    // Apollo would speak of forgery across sites.
    if (isWithoutOperation(request))
      return void reply.send(new Refusal('BAD_REQUEST', howToAsk, { status: 400 }));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Apollo has written the text from a GraphQL response
    const response = parseExactJson(body.string) as GraphQLResponse;
    const [{ message, extensions } = {}] = response.errors ?? [];
    // Apollo refuses forgeries, batches and malformed requests before there is an operation.
    if (message !== undefined && extensions?.['code'] === 'BAD_REQUEST')
      logRefusal(reply.statusCode, message, request.id);
    return send(response, request, reply);
  }

  return (app) => {
    app.route({
      method: ['GET', 'POST'],
      url: '/graphql',
      handler: (request, reply) => void serve(request, reply),
    });
    app.route({
      method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: '/graphql',
      handler: (_, reply) => {
        const message = 'GraphQL is served over GET and POST.';
        const headers = { allow: 'GET, POST' };
        void reply.send(new Refusal('BAD_REQUEST', message, { status: 405, headers }));
      },
    });
  };
}

type PlainBody = Required<Omit<GraphQLRequest, 'http'>>;

/** Returns whether Apollo's HTTP layer would accept the body of a POST. `null` and no value are the same to Apollo. */
function isPlain(body: unknown): body is PlainBody {
  if (!isJsonObject(body)) return false;
  const { query, operationName, variables, extensions } = body;
  return (
    typeof query === 'string' &&
    query !== '' &&
    typeof (operationName ?? '') === 'string' &&
    isJsonObject(variables ?? {}) &&
    isJsonObject(extensions ?? {})
  );
}

/** A request in the form that Apollo expects. Copies the headers when they are read: few operations need them. */
class ApolloRequest implements HTTPGraphQLRequest {
  readonly method: string;
  readonly search: string;
  readonly body: unknown;

  constructor(private readonly request: FastifyRequest) {
    this.method = request.method;
    this.search = toSearch(request);
    this.body = request.body;
  }

  get headers(): HeaderMap {
    const { method, headers } = this.request;
    const map = new HeaderMap();
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) map.set(name, String(value));
    // Browsers add no bearer token by themselves, and a page of another site needs a preflight to send one. Other schemes
    // prove nothing: a browser sends Basic and Negotiate credentials with forged requests too.
    if (/^bearer /i.test(headers.authorization ?? ''))
      map.set('apollo-require-preflight', 'bearer');
    // Keeps the client's `accept` only for a GET that accepts HTML: Apollo may answer such a GET with its landing page.
    if (method !== 'GET' || !headers.accept?.includes('text/html'))
      map.set('accept', chooseContentType(headers.accept));
    return map;
  }
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
function chooseContentType(accept = ''): string {
  const [, isGraphQL] = RESPONSE_TYPE.exec(accept) ?? [];
  return `application/${isGraphQL ? 'graphql-response+json' : 'json'}; charset=utf-8`;
}

/** Returns true for a GET without an operation, such as that of a person who opens the address in a browser. */
function isWithoutOperation(request: FastifyRequest): boolean {
  const parameters = new URLSearchParams(toSearch(request));
  return request.method === 'GET' && !parameters.has('query') && !parameters.has('extensions');
}

function setHead(reply: FastifyReply, { status, headers }: HTTPGraphQLHead): void {
  if (status !== undefined) void reply.code(status);
  // Apollo's `cache-control` of some errors would replace `no-store`.
  for (const [name, value] of headers) if (name !== 'cache-control') void reply.header(name, value);
}

/** Completes the errors of a response, sets the headers that they ask for, and sends the response. */
function send(
  response: GraphQLResponse,
  { id, headers }: FastifyRequest,
  reply: FastifyReply,
): void {
  let finished = response;
  if (response.errors) {
    const { retryAfterSeconds, refusal, ...rest } = finishErrors(response, id);
    finished = rest.response;
    if (retryAfterSeconds !== undefined)
      void reply.header('retry-after', String(retryAfterSeconds));
    if (refusal !== undefined)
      void reply.header('www-authenticate', toChallenge(refusal, headers.authorization));
  }
  const { errors, data, extensions } = finished;
  void reply.send(`${JSON.stringify({ errors, data, extensions })}\n`);
}
