import type { ApolloServer, GraphQLRequest, HTTPGraphQLHead } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toChallenge } from '../auth/bearer.js';
import type { Context } from '../context.js';
import { parseExactJson } from '../json/parse-json.js';
import type { AppPart } from './app.js';
import {
  finishErrors,
  hasErrors,
  unexpectedErrorBody,
  type GraphQLResponse,
} from '../errors/error-body.js';
import { Refusal } from '../errors/refusal.js';
import { chooseContentType, readPlainOperation, toHttpRequest, toSearch } from './operation.js';
import type { LogRefusal } from './refusal-log.js';
import { createPageHeaders } from './headers.js';

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
  /** Answers any request through Apollo's HTTP layer, which takes more CPU than `answer`. */
  async function answerByHttp(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    let context: Context | undefined;
    try {
      const { body, ...head } = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: toHttpRequest(request),
        context: async () => (context = createContext(request)),
      });
      if (body.kind !== 'complete') throw new Error('Apollo returned an incremental response');
      const isPage = head.headers.get('content-type')?.startsWith('text/html') === true;
      if (isPage) setPageHeaders(reply);
      setHead(reply, head);
      // Apollo would speak of forgery across sites.
      if (!isPage && isWithoutOperation(request))
        return void reply.send(new Refusal('BAD_REQUEST', howToAsk, { status: 400 }));
      const text = body.string;
      if (!hasErrors(text)) return void reply.send(text);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Apollo has written the text from a GraphQL response
      const response = parseExactJson(text) as GraphQLResponse;
      const [{ message, extensions } = {}] = response.errors ?? [];
      // Apollo refuses forgeries, batches and malformed requests before there is an operation.
      if (message !== undefined && extensions?.['code'] === 'BAD_REQUEST')
        logRefusal(reply.statusCode, message, request.id);
      sendResponse(response, request, reply);
    } catch (error) {
      fail(request, reply, error);
    } finally {
      if (context) endOperation(context);
    }
  }

  /** Answers an operation without Apollo's HTTP layer. Only for operations that Apollo's HTTP layer would accept. */
  async function answer(
    operation: GraphQLRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    let context: Context | undefined;
    try {
      setContentType(request, reply);
      context = createContext(request);
      const { http, body } = await apollo.executeOperation(operation, { contextValue: context });
      if (body.kind !== 'single') throw new Error('Apollo returned an incremental response');
      setHead(reply, http);
      sendResponse(body.singleResult, request, reply);
    } catch (error) {
      fail(request, reply, error);
    } finally {
      if (context) endOperation(context);
    }
  }

  function sendResponse(
    response: GraphQLResponse,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const finished = response.errors ? finish(request, reply, response) : response;
    const { errors, data, extensions } = finished;
    void reply.send(`${JSON.stringify({ errors, data, extensions })}\n`);
  }

  return (app) => {
    app.route({
      method: ['GET', 'POST'],
      url: '/graphql',
      // Returns no promise to Fastify: `answer` and `answerByHttp` send every answer themselves and never reject.
      handler: (request, reply) => {
        const operation = readPlainOperation(request);
        void (operation ? answer(operation, request, reply) : answerByHttp(request, reply));
      },
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

/** Returns true for a GET without an operation, such as that of a person who opens the address in a browser. */
function isWithoutOperation(request: FastifyRequest): boolean {
  if (request.method !== 'GET') return false;
  const parameters = new URLSearchParams(toSearch(request));
  return !parameters.has('query') && !parameters.has('extensions');
}

/** Answers with the outcome `UNKNOWN` after a defect. The app's error handler would claim `NOT_SENT`. */
function fail(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  request.log.error({ err: error, requestId: request.id }, 'a request failed');
  setContentType(request, reply);
  void reply.code(500).send(unexpectedErrorBody(request.id));
}

/** Ends an operation, whose response has been made: its answers are no longer held. */
function endOperation({ ledger, answerBytes }: Context): void {
  ledger.end();
  answerBytes.end();
}

function setContentType({ headers }: FastifyRequest, reply: FastifyReply): void {
  void reply.header('content-type', chooseContentType(headers.accept));
}

function setHead(reply: FastifyReply, { status, headers }: HTTPGraphQLHead): void {
  if (status !== undefined) void reply.code(status);
  // Apollo's `cache-control` of some errors would replace `no-store`.
  for (const [name, value] of headers) if (name !== 'cache-control') void reply.header(name, value);
}

/** Completes a response with errors, and sets the headers that its errors ask for. */
function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  response: GraphQLResponse,
): GraphQLResponse {
  const finished = finishErrors(response, request.id);
  const { retryAfterSeconds, refusal } = finished;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  if (refusal !== undefined)
    void reply.header('www-authenticate', toChallenge(refusal, request.headers.authorization));
  return finished.response;
}
