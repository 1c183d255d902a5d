import { HeaderMap, type ApolloServer, type HTTPGraphQLRequest } from '@apollo/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../graphql/context.js';
import { toChallenge } from './authorization.js';
import { finishErrors, toErrorBody } from './error-body.js';
import { chooseMediaType } from './media-type.js';
import { toSearch } from './search.js';
import { pageHeaders } from './security-headers.plugin.js';

export interface GraphQLRouteOptions {
  readonly apollo: ApolloServer<Context>;
  readonly createContext: (request: FastifyRequest) => Context;
}

/**
 * `/graphql`: the bridge from Fastify to Apollo. GET answers browsers with Sandbox and clients with queries;
 * POST takes every operation.
 */
export function addGraphQLRoute(app: FastifyInstance, options: GraphQLRouteOptions): void {
  const { apollo, createContext } = options;

  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    handler: async (request, reply) => {
      const response = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: toHttpGraphQLRequest(request),
        context: async () => createContext(request),
      });
      if (response.body.kind !== 'complete') throw new Error('the schema has nothing to stream');
      if (response.headers.get('content-type')?.startsWith('text/html'))
        void reply.headers(pageHeaders);
      for (const [name, value] of response.headers) void reply.header(name, value);
      void reply.code(response.status ?? 200);
      const finished = finishErrors(response.body.string, request.id);
      if (finished?.retryAfterSeconds !== undefined)
        void reply.header('retry-after', String(finished.retryAfterSeconds));
      if (finished?.refusal !== undefined)
        void reply.header(
          'www-authenticate',
          toChallenge(finished.refusal, request.headers.authorization),
        );
      return reply.send(finished?.body ?? response.body.string);
    },
  });
  app.route({
    method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/graphql',
    handler: (request, reply) =>
      reply
        .code(405)
        .header('allow', 'GET, POST')
        .send(toErrorBody('GraphQL is served over GET and POST.', 'BAD_REQUEST', request.id)),
  });
}

function toHttpGraphQLRequest(request: FastifyRequest): HTTPGraphQLRequest {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const { method, body } = request;
  const accept = headers.get('accept');
  // Only a GET can be answered with a page.
  if (method !== 'GET' || !accept?.includes('text/html'))
    headers.set('accept', chooseMediaType(accept));
  return { method, headers, search: toSearch(request), body };
}
