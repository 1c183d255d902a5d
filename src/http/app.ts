import { randomUUID } from 'node:crypto';
import type * as http from 'node:http';
import { getBuiltinModule } from 'node:process';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config/config.js';
import { Refusal } from '../errors/refusal.js';
import { Connections } from './connections.js';
import { createErrorAnswer, type LogRefusal } from './refusals.js';

/** The part `http` of the configuration, and what `gateway.ts` adds. */
export type AppOptions = Config['http'] & {
  /** In production, idle connections stay open for 1 s while the gateway closes: a load balancer may still use them. */
  readonly isProduction: boolean;
  readonly logger: FastifyBaseLogger;
  readonly logRefusal: LogRefusal;
  /** Makes the requests under way end at once. Called when `shutdownGraceMs` has passed. */
  readonly onGraceEnd: () => void;
};

/** Headers of every answer. */
const dataHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Interval at which Node checks connections for exceeded timeouts, in ms. */
const TIMEOUT_CHECK_MS = 1_000;

function noSchema(): never {
  throw new Error('The routes of the gateway have no schemas.');
}

/** No route has a schema. Fastify would load its schema compilers all the same, which delays the start. */
export const withoutSchemas = {
  compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema },
};

/** An `import` would evaluate every export of `node:http`: one loads Node's own undici, which delays the start by 30 ms. */
const { ServerResponse } = getBuiltinModule('node:http');

/**
 * Delays `end` to the end of the event loop turn, so that all answers of one turn are written together. Each single
 * write could wake the client, and the client's next request would wake the gateway: a batch wakes both only once.
 * `writableEnded` is true as soon as `end` is called.
 */
class BatchedResponse<Request extends http.IncomingMessage> extends ServerResponse<Request> {
  #hasEnded = false;

  // `override get` does not compile: Node's types declare the accessor `writableEnded` as a property.
  static {
    Object.defineProperty(this.prototype, 'writableEnded', {
      get(this: BatchedResponse<http.IncomingMessage>) {
        return this.#hasEnded;
      },
    });
  }

  override end(...rest: unknown[]): this {
    if (this.#hasEnded) return this;
    this.#hasEnded = true;
    // Node runs all pending immediates before it reads sockets again, so the answers of one turn leave together.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arguments of this very call
    setImmediate(() => super.end(...(rest as Parameters<http.ServerResponse['end']>)));
    return this;
  }
}

export type AppPart = (app: FastifyInstance) => void | Promise<void>;

/** Creates the Fastify app with limits, request ids and errors in GraphQL's format, then adds `parts` in order. */
export async function createApp(options: AppOptions, parts: readonly (AppPart | undefined)[]) {
  const { requestTimeoutMs, trustProxy, logRefusal } = options;
  const connections = new Connections(logRefusal);
  const answerError = createErrorAnswer(logRefusal);
  const addHeaders = ({ id }: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.headers({ ...dataHeaders, 'x-request-id': id });
  const app: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    // No child logger for each request: every log line about a request names the request's id itself.
    childLoggerFactory: (logger) => logger,
    // The operation log already writes one line for each operation.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.maxBodyBytes,
    trustProxy: trustProxy > 0 && ((_address: string, hop: number) => hop < trustProxy),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    http: {
      // Node compares the two before Fastify sets the first.
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestTimeoutMs),
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
  app.server.on('drop', () => logRefusal(503, 'MAX_CONNECTIONS are open'));
  connections.addTo(app);
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply);
    done();
  });
  app.addHook('onSend', ({ raw: { complete, headers } }, reply, payload, done) => {
    const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
    const isUnread = hasBody && !complete;
    if (isUnread || !app.server.listening) void reply.header('connection', 'close');
    done(null, payload);
  });
  app.setNotFoundHandler((_, reply) => {
    const message = 'There is nothing here. GraphQL is served at /graphql, by GET and POST.';
    void reply.send(new Refusal('NOT_FOUND', message, { status: 404 }));
  });
  app.setErrorHandler(answerError);
  for (const addTo of parts) await addTo?.(app);
  return { app, connections };
}
