import { randomUUID } from 'node:crypto';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config/config.js';
import { toErrorBody, toRefusalBody } from '../errors/error-body.js';
import { Refusal } from '../errors/refusal.js';
import { Connections } from './connections.js';
import { drain } from './drain.js';
import { dataHeaders } from './headers.js';
import type { LogRefusal } from './refusal-log.js';
import { BatchedResponse } from './response-class.js';

/** The part `http` of the configuration, and what `gateway.ts` adds. */
export type AppOptions = Config['http'] & {
  /** Timeout for receiving the headers of a request, from its first byte; of the first request, from the connection. Default: 10 s. */
  readonly headersTimeoutMs?: number | undefined;
  /** In production, idle connections stay open for 1 s while the gateway closes: a load balancer may still use them. */
  readonly isProduction: boolean;
  readonly logger: FastifyBaseLogger;
  readonly logRefusal: LogRefusal;
  /** Makes the requests under way end at once. Called when `shutdownGraceMs` has passed. */
  readonly onGraceEnd: () => void;
};

/** Time for the headers, which fit into a few packets. A connection that sends headers slowly occupies a place longer. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Interval at which Node checks connections for exceeded timeouts, in ms. */
const TIMEOUT_CHECK_MS = 1_000;

/** Time in ms that idle connections stay open while the gateway closes. A busy load balancer reuses each one sooner. */
const IDLE_DRAIN_MS = 1_000;

/** Messages for requests that Fastify refuses. */
const NOT_JSON = 'The request body must be JSON, with content-type: application/json.';
const MALFORMED = 'The request is not well-formed.';

function noSchema(): never {
  throw new Error('The routes of the gateway have no schemas.');
}

/** No route has a schema. Fastify would load its schema compilers all the same, which delays the start. */
export const withoutSchemas = {
  compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema },
};

export type AppPart = (app: FastifyInstance) => void | Promise<void>;

/** Creates the Fastify app with limits, request ids and errors in GraphQL's format, then adds `parts` in order. */
export async function createApp(options: AppOptions, parts: readonly (AppPart | undefined)[]) {
  const { requestTimeoutMs, trustProxy, logRefusal } = options;
  // Node refuses a headers timeout above the request timeout.
  const headersTimeout = Math.min(options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS, requestTimeoutMs);
  const connections = new Connections(logRefusal);
  const answerError = createErrorAnswer(logRefusal);
  const addHeaders = ({ id }: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.headers({ ...dataHeaders, 'x-request-id': id });
  let isClosing = false;
  const app: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    // No child logger for each request: every log line about a request names the request's id itself.
    childLoggerFactory: (logger) => logger,
    // The operation log already writes one line for each operation.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.maxBodyBytes,
    trustProxy: trustProxy > 0 && ((_address: string, hop: number) => hop < trustProxy),
    requestTimeout: requestTimeoutMs,
    connectionTimeout: requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    http: {
      headersTimeout,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, headersTimeout),
      // Node would keep the first of two `Host` or `Authorization` headers. A list of them is refused.
      joinDuplicateHeaders: true,
      ServerResponse: BatchedResponse,
    },
    // While closing, requests on open connections are still served; each answer then closes its connection.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => connections.refuse(error, socket),
    // Called for a path that cannot be decoded, without hooks: `connections` does not know of a request behind it.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, addHeaders(request, reply).header('connection', 'close')),
    schemaController: withoutSchemas,
    // Ignores the client's `x-request-id`: clients must not choose ids in the log.
    genReqId: () => randomUUID(),
  });
  app.server.maxConnections = options.maxConnections;
  app.server.on('drop', () => logRefusal(503, 'MAX_CONNECTIONS are open.'));
  connections.addTo(app);
  app.addHook('preClose', async () => {
    isClosing = true;
    if (options.isProduction) await drain(app.server, IDLE_DRAIN_MS);
    connections.closeSilent();
  });
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply);
    done();
  });
  app.addHook('onSend', ({ raw: { complete, headers } }, reply, payload, done) => {
    const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
    const isUnread = hasBody && !complete;
    if (isUnread || isClosing) void reply.header('connection', 'close');
    done(null, payload);
  });
  app.setNotFoundHandler((_, reply) => {
    const message = 'There is nothing here. GraphQL is served at /graphql.';
    void reply.send(new Refusal('NOT_FOUND', message, { status: 404 }));
  });
  app.setErrorHandler(answerError);
  for (const addTo of parts) await addTo?.(app);
  return { app, connections };
}

/** Creates the handler of errors, which answers refusals in GraphQL's format, and logs each one. */
export function createErrorAnswer(logRefusal: LogRefusal) {
  return (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): void => {
    const { id, log } = request;
    const ofFastify = error instanceof Refusal ? 400 : (error.statusCode ?? 500);
    if (ofFastify >= 500) {
      log.error({ err: error, requestId: id }, 'a request failed');
      const body = toErrorBody('Internal server error', 'INTERNAL_SERVER_ERROR', id);
      return void reply.code(500).send(body);
    }
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal('BAD_REQUEST', ofFastify === 415 ? NOT_JSON : MALFORMED);
    const { status = ofFastify, headers = {}, message, extensions } = refusal;
    const { retryAfterSeconds } = extensions;
    if (retryAfterSeconds !== undefined)
      void reply.header('retry-after', String(retryAfterSeconds));
    logRefusal(status, message, id);
    return void reply.headers(headers).code(status).send(toRefusalBody(refusal, id));
  };
}
