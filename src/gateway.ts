import { lookup } from 'node:dns/promises';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createAuth } from './auth/create-auth.js';
import type { Config } from './config/config.js';
import { createApollo } from './graphql/apollo.js';
import type { Context } from './context.js';
import { Explanation } from './features/explain/explain.plugin.js';
import { withIdempotency } from './idempotency/idempotent-rest-client.js';
import { connectRedis } from './redis/redis.connection.js';
import { createRestClient } from './rest/rest-client.js';
import { createDriftLog } from './study/drift-log.js';
import { StudyApi, type Caller } from './study/study.api.js';
import { loadMetrics, loadTracing } from './telemetry/telemetry.js';
import { AcceptedCallers } from './features/rate-limits/accepted-callers.js';
import { createApp, type AppOptions } from './http/app.js';
import { readBearerToken } from './auth/bearer.js';
import { addBodyParser } from './http/body.parser.js';
import { addCors } from './http/cors.hook.js';
import { addExplorer } from './features/explorer/explorer.route.js';
import { addGraphQLRoute } from './http/graphql.route.js';
import { addHealthRoutes, createHealth } from './http/health.route.js';
import { addHostCheck, createHostCheck } from './features/hosts/hosts.hook.js';
import { addOperationLimits } from './features/limits/operation-limits.hook.js';
import { createRateLimiter, type RateLimiter } from './features/rate-limits/rate-limiter.js';
import { addRateLimits, toRateLimitKey } from './features/rate-limits/request-rate.hook.js';
import { addRequestChecks } from './http/request-checks.plugin.js';
import { addTrustedDocuments } from './features/documents/trusted-documents.hook.js';
import { readTrustedDocuments } from './features/documents/trusted-documents.js';
import { watchUnderWay } from './http/connection/under-way.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Once it was asked for. In a WeakMap it would keep whole requests alive until a major collection. */
    caller: Caller | null;
  }
}

export interface GatewayOptions extends Config, AppOptions {
  readonly studyApiUrl: URL;
  /** A token of the emulator, to prefill Sandbox and the explorer with. */
  readonly demoToken?: string | undefined;
  readonly logger: Logger;
}

export interface Gateway {
  /** Where it listens, without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Of `/metrics`, where they are on. */
  readonly metricsUrl: string | undefined;
  /**
   * Answers the requests under way, for as long as `shutdownGraceMs`, and then lets everything go. Rejects, once all is
   * let go, when a request was cut.
   */
  readonly close: () => Promise<void>;
}

/** Starts the gateway. Rejects with Node's own error when it cannot listen, and has let everything go then. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const opened: (() => unknown)[] = [];
  /** The last that was opened goes first. One that fails does not keep the others. */
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const letGo of opened.splice(0).toReversed())
      try {
        await letGo();
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  };
  try {
    return { ...(await start(options, opened)), close };
  } catch (error) {
    // Why it cannot start is what matters.
    await close().catch(() => {});
    throw error;
  }
}

/** Adds to `opened` how each thing that it opens is let go. */
async function start(
  options: GatewayOptions,
  opened: (() => unknown)[],
): Promise<Omit<Gateway, 'close'>> {
  const { port, reusePort, logger } = options;
  // For each further address of localhost Fastify would make a server of its own, which nobody watches or drains.
  const { address: host } = await lookup(options.host, { order: 'ipv4first' });
  const documents = options.trustedDocuments && readTrustedDocuments(options.trustedDocuments);
  const metrics = await loadMetrics(host, options.metricsPort);
  opened.push(() => metrics?.close());
  const tracing = await loadTracing(options);
  opened.push(() => tracing?.close());
  const auth = await createAuth(options);
  opened.push(() => auth.close());
  const redis = options.redisUrl && (await connectRedis(options.redisUrl, logger));
  opened.push(() => redis?.close());
  const api = createRestClient({
    baseUrl: options.studyApiUrl,
    deadlineMs: options.studyApiTimeoutMs,
    connectTimeoutMs: options.studyApiConnectTimeoutMs,
    maxAnswerBytes: options.studyApiMaxAnswerBytes,
    answerBudgetBytes: options.studyApiAnswerBudgetBytes,
    maxCalls: options.studyApiMaxCalls,
    maxQueue: options.studyApiMaxQueue,
    circuitOpenMs: options.studyApiCircuitOpenMs,
    onCircuitChange: (circuit) => logger.warn({ circuit }, 'the circuit to the Study API changed'),
  });
  const onKey = metrics?.countIdempotentCall;
  const rest = withIdempotency(metrics?.watchRest(api) ?? api, { ...options, onKey }, redis);
  opened.push(() => rest.close());
  const logDrift = createDriftLog(logger);
  const reportDrift = metrics?.watchDrift(logDrift) ?? logDrift;
  const { studyApiMaxCalls: maxCalls, studyApiMaxQueue: maxQueue } = options;
  metrics?.watchState({ rest, redis, maxCalls, maxQueue });
  const plugins = [metrics, tracing].flatMap((telemetry) => telemetry?.plugin ?? []);
  const schema = options.federation ? (await import('./graphql/subgraph.js')).subgraph : undefined;
  const apollo = createApollo({ ...options, schema, plugins });
  await apollo.start();
  opened.push(() => apollo.stop());

  const refuseHost = auth.isOpen
    ? createHostCheck([options.host, ...options.allowedHosts])
    : undefined;
  const whoseToken = options.authMode === 'service' ? 'your' : 'the Study API';
  // The same one to the limits and to the resolvers: a JWT is verified once.
  const toCaller = (request: FastifyRequest): Caller => {
    const readToken = (): string => readBearerToken(request.raw, whoseToken);
    request.caller ??= auth.toCaller(request.id, readToken);
    return request.caller;
  };
  const toId = (request: FastifyRequest): Promise<string> =>
    toRateLimitKey(request, () => toCaller(request).callerId());
  const hasLimits = options.rateLimitRequests > 0 || options.rateLimitMutationFields > 0;
  const accepted = redis && hasLimits ? new AcceptedCallers() : undefined;
  const limitRate = (limit: number, what: string): RateLimiter | undefined => {
    if (limit === 0) return undefined;
    const shared = redis && accepted && { redis, accepted };
    return createRateLimiter(limit, what, shared, () => metrics?.countRateRefusal(what));
  };
  const requestRate = limitRate(options.rateLimitRequests, 'requests');
  const mutationRate = limitRate(options.rateLimitMutationFields, 'mutation-fields');

  const createContext = (request: FastifyRequest): Context => {
    const { id: requestId, headers } = request;
    const caller = toCaller(request);
    const isExplained = !options.isProduction && headers['x-study-explain'] === '1';
    const explanation = isExplained ? new Explanation() : undefined;
    const trace = tracing?.start(request);
    const watched = accepted?.watch(rest, () => toId(request)) ?? rest;
    const traced = trace?.watch(watched) ?? watched;
    const studies = new StudyApi(explanation?.watch(traced) ?? traced, caller, reportDrift);
    const spendMutationFields =
      mutationRate && (async (count: number) => mutationRate.spend(await toId(request), count));
    return {
      requestId,
      startedAt: performance.now(),
      caller,
      studies,
      trace,
      explanation,
      spendMutationFields,
    };
  };

  const app = createApp(options);
  app.decorateRequest('caller', null);
  let isStopping = false;
  const health = createHealth(
    () => (isStopping ? 'shutting down' : app.server.listening ? 'ready' : 'starting'),
    () => rest.circuit,
    () => redis?.state,
  );
  metrics?.watchHttp(app);
  if (refuseHost) addHostCheck(app, refuseHost);
  await addCors(app, options);
  addRequestChecks(app);
  if (requestRate) addRateLimits(app, requestRate, toId);
  addBodyParser(app);
  if (documents) addTrustedDocuments(app, documents);
  addOperationLimits(app, options);
  addHealthRoutes(app, health);
  addGraphQLRoute(app, { apollo, createContext });
  if (options.explorer) addExplorer(app, options.demoToken);

  const countUnderWay = watchUnderWay(app.server);
  opened.push(async () => {
    isStopping = true;
    let cutRequests = 0;
    const cut = setTimeout(() => {
      cutRequests = countUnderWay();
      app.server.closeAllConnections();
    }, options.shutdownGraceMs);
    await app.close().finally(() => clearTimeout(cut));
    if (cutRequests > 0)
      throw new Error(`requests cut at the end of SHUTDOWN_GRACE_MS: ${cutRequests}`);
  });
  const metricsUrl = await metrics?.listen({ refuse: refuseHost, paths: health });
  if (metricsUrl !== undefined) logger.info({ url: metricsUrl }, 'metrics are served');
  // Node's option, which Fastify passes on and has no type for.
  const address = { host, port, reusePort };
  return { url: await app.listen(address), metricsUrl };
}
