import { randomUUID } from 'node:crypto';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { answerClientError, watchConnections } from './connection/connections.js';
import { Drain } from './connection/drain.js';
import { toErrorBody } from './error-body.js';
import { reportRefusedConnections } from './connection/refused-connections.js';
import { createResponseClass } from './connection/response-class.js';
import { RequestError } from './request-error.js';
import { dataHeaders } from './security-headers.js';

export interface AppOptions {
  readonly maxBodyBytes: number;
  /** From the connection, or from the end of the request before, to the end of the headers. */
  readonly headersTimeoutMs: number;
  /** From the same start to the end of the body. Also ends a connection whose client takes no answer for this long. */
  readonly requestTimeoutMs: number;
  /** How long a connection may be idle between two requests. */
  readonly keepAliveTimeoutMs: number;
  /** Number of trusted proxies in front; each adds one `X-Forwarded-For` entry. */
  readonly trustProxy: number;
  /** Most open connections; further connections are closed at once. */
  readonly maxConnections: number;
  /** Keeps idle connections open for 1 s while the gateway closes: a load balancer may still use them. */
  readonly isProduction: boolean;
  readonly logger: FastifyBaseLogger;
}

/** Most bytes of all headers of a request together; Node answers 431 beyond. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Interval at which Node looks for connections past their timeout. */
const TIMEOUT_CHECK_MS = 1_000;

/** How long idle connections stay open while the gateway closes. A load balancer under load reuses a connection far sooner. */
const IDLE_DRAIN_MS = 1_000;

/** Messages for requests that became no operation, by status. A `RequestError` has its own. */
const refusals: ReadonlyMap<number, string> = new Map([
  [400, 'The request is not well-formed.'],
  [404, 'There is nothing here. GraphQL is served at /graphql.'],
  [413, 'The request body is too long.'],
  [415, 'The request body must be JSON, with content-type: application/json.'],
]);

/** Adds hooks or routes. */
export type AppPart = (app: FastifyInstance) => void | Promise<void>;

/** The HTTP server: its limits, request ids, errors in the shape of GraphQL's, and then its parts in their order. */
export async function createApp(
  options: AppOptions,
  parts: readonly (AppPart | undefined)[],
): Promise<FastifyInstance> {
  const { maxBodyBytes, requestTimeoutMs, keepAliveTimeoutMs, trustProxy } = options;
  // The time for the headers is part of the time for the whole request.
  const headersTimeout = Math.min(options.headersTimeoutMs, requestTimeoutMs);
  const drain = new Drain(options.isProduction ? IDLE_DRAIN_MS : 0);
  const app: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    // No logger for each request: the lines about a request name its id themselves.
    childLoggerFactory: (logger) => logger,
    // The operation log already has one line for each operation.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    trustProxy: trustProxy > 0 && ((_address: string, hop: number) => hop < trustProxy),
    requestTimeout: requestTimeoutMs,
    connectionTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, headersTimeout),
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node would answer 400 without a body.
      requireHostHeader: false,
      ServerResponse: createResponseClass(dataHeaders, () => drain.hasBegun),
    },
    // A request on an open connection is still served; its answer closes the connection.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // Fastify reports a path that cannot be decoded here, before any hook has run.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.header('x-request-id', request.id)),
    // No route has a schema to compile. Fastify would load its compilers anyway, which delays the start.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    // Never the client's `x-request-id`: nobody else may choose an id in the log.
    genReqId: () => randomUUID(),
  });
  app.server.maxConnections = options.maxConnections;
  reportRefusedConnections(app.server, options.logger);
  watchConnections(app.server, maxBodyBytes);
  app.addHook('preClose', () => drain.begin(app.server));

  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(toErrorBody(refusals.get(404)!, 'NOT_FOUND', request.id)),
  );
  app.setErrorHandler(answerError);
  for (const addTo of parts) await addTo?.(app);
  return app;
}

function noSchema(): never {
  throw new Error('The routes of the gateway have no schemas.');
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const status = error.statusCode ?? 500;
  if (status >= 500) {
    request.log.error({ err: error, requestId: request.id }, 'a request failed');
    const body = toErrorBody('Internal server error', 'INTERNAL_SERVER_ERROR', request.id);
    return void reply.code(500).send(body);
  }
  const message =
    error instanceof RequestError
      ? error.message
      : (refusals.get(status) ?? 'The request cannot be handled.');
  return void reply.code(status).send(toErrorBody(message, 'BAD_REQUEST', request.id));
}
