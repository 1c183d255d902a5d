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
import { dataHeaders } from './security-headers.js';

export interface AppOptions {
  readonly maxBodyBytes: number;
  /** From the connection, or from the end of the request before, to the end of the headers. */
  readonly headersTimeoutMs: number;
  /** The same to the end of the body. An answer that nobody takes for so long is given up too. */
  readonly requestTimeoutMs: number;
  /** How long a connection may be idle between two requests. */
  readonly keepAliveTimeoutMs: number;
  /** So many proxies in front of it say the truth in `X-Forwarded-For`. */
  readonly trustProxy: number;
  /** Further connections are closed as they come. */
  readonly maxConnections: number;
  /** Whether a balancer has connections that it takes for open when the gateway closes. */
  readonly isProduction: boolean;
  readonly logger: FastifyBaseLogger;
}

/** Of all headers of a request together; over it Node answers 431. */
const MAX_HEADER_BYTES = 16 * 1024;
/** How often Node looks for connections that have run out of time. */
const TIMEOUT_CHECK_MS = 1_000;

/** A balancer under load uses an open connection again long before. */
const IDLE_DRAIN_MS = 1_000;

/** What a client learns of a request that did not become an operation, by status. */
const refusals: ReadonlyMap<number, string> = new Map([
  [400, 'The request is not well-formed.'],
  [404, 'There is nothing here. GraphQL is served at /graphql.'],
  [413, 'The request body is too long.'],
  [415, 'The request body must be application/json, and not compressed.'],
]);

/** Adds hooks or routes. */
export type AppPart = (app: FastifyInstance) => void | Promise<void>;

/** The HTTP server: its limits, request ids, errors in the shape of GraphQL's, and then its parts in their order. */
export async function createApp(
  options: AppOptions,
  parts: readonly (AppPart | undefined)[],
): Promise<FastifyInstance> {
  const { maxBodyBytes, requestTimeoutMs, keepAliveTimeoutMs, trustProxy } = options;
  // It is part of the time for the whole request.
  const headersTimeout = Math.min(options.headersTimeoutMs, requestTimeoutMs);
  const drain = new Drain(options.isProduction ? IDLE_DRAIN_MS : 0);
  const app: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    // A logger for each request would say its id, which the lines about it do themselves.
    childLoggerFactory: (logger) => logger,
    // The operation log says all that there is to say.
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
    // What still arrives on an open connection is served; the answer closes it.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // A path that cannot be decoded comes here before any hook has run.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.header('x-request-id', request.id)),
    // No route has a schema to compile. Fastify would load its compilers all the same, which takes a while.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    // Never the client's: the id in our log is one that nobody else can choose.
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
  const message = refusals.get(status) ?? 'The request cannot be handled.';
  return void reply.code(status).send(toErrorBody(message, 'BAD_REQUEST', request.id));
}
