import { randomUUID } from 'node:crypto';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
} from 'fastify';
import { toErrorBody } from './error-body.js';

/** The longest request body: 1 MiB. */
const MAX_BODY_BYTES = 1024 * 1024;

/** What a client learns of a request that did not become an operation. */
const refusals: ReadonlyMap<number, string> = new Map([
  [400, 'The request is not well-formed.'],
  [404, 'There is nothing here. GraphQL is served at /graphql.'],
  [413, `The request body is longer than ${MAX_BODY_BYTES} bytes.`],
  [415, 'The request body must be application/json.'],
]);

/** Throws `TypeError` on bytes that are not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The HTTP server: request ids, JSON bodies, and errors in the shape of GraphQL's. */
export function createApp(logger: FastifyBaseLogger): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    // The operation log says all that there is to say.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    // Never the client's: the id in our log is one that nobody else can choose.
    genReqId: () => randomUUID(),
  });

  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body: Buffer, done) => {
    try {
      done(null, JSON.parse(utf8.decode(body)));
    } catch {
      done(Object.assign(new Error('The request body is not JSON in UTF-8.'), { statusCode: 400 }));
    }
  });

  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(toErrorBody(refusals.get(404)!, 'NOT_FOUND', request.id)),
  );
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) {
      const message = refusals.get(status) ?? 'The request cannot be handled.';
      return reply.code(status).send(toErrorBody(message, 'BAD_REQUEST', request.id));
    }
    request.log.error({ err: error }, 'a request failed');
    return reply
      .code(500)
      .send(toErrorBody('Internal server error', 'INTERNAL_SERVER_ERROR', request.id));
  });
  return app;
}
