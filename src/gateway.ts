import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { createPlannedExecution } from 'planned-execution';
import type { Logger } from 'pino';
import { createProxiedFetch, type KeyStore, type MemoryStoreOptions } from 'rest-outcome';
import { createCallers, forwardAuth, readFrontend } from './auth/caller.js';
import { ConfigError, type Config } from './config/config.js';
import type { CallContext, Context } from './context.js';
import { addTrustedDocuments } from './features/documents/trusted-documents.js';
import { explainCalls, explainListener, toExplanation } from './features/explain/explain.js';
import { addExplorer } from './features/explorer/explorer.js';
import { createSandbox } from './features/explorer/sandbox.js';
import { createRateLimits } from './features/rate-limits.js';
import { addSdl } from './features/sdl/sdl.js';
import { openGraphql } from './graphql/apollo.js';
import { createErrorHandling } from './errors/client-error.js';
import { createOperationLog } from './graphql/operation-log.js';
import type { Class } from './graphql/bind-resolvers.js';
import { createSchema, resolvers, schema as ownSchema } from './graphql/schema.js';
import type { AppPart } from './http/app.js';
import { addBodies } from './http/bodies.js';
import { addCors } from './http/browsers.js';
import { addRequestChecks } from './http/connections.js';
import { addGraphQL } from './http/graphql-route.js';
import { ByteBudget, limitResponses, memoryLimits, type MemoryLimits } from './http/memory.js';
import { createRefusalLog } from './http/refusals.js';
import { addHealth, openHttp } from './http/server.js';
import { openTogether, type Open } from './process/resources.js';
import { connectRedis } from './redis/connection.js';
import { openKeys, openRest, type RestOptions } from './rest.js';
import { createPermission, type Authorize } from './study/authorize.js';
import { createDriftLog } from './study/drift.js';
import { StudyApi } from './study/api.js';
import { compileContract } from './study/contract.js';
import { loadTracing } from './telemetry/load-tracing.js';

/** Number of bytes of the answers of each operation that do not count. */
const FREE_ANSWER_BYTES = 65_536;

/** The options of each part. Beyond the configuration, a part may have options whose default is a constant. */
export interface GatewayOptions extends Omit<Config, 'emulator' | 'process'> {
  readonly rest: RestOptions;
  readonly keyLimits?: MemoryStoreOptions;
  /** Default: `memoryLimits`. */
  readonly memory?: Partial<MemoryLimits>;
  /** Token of the emulator: prefilled in Sandbox and explorer, and the default for the gateway's own token. */
  readonly demoToken?: string | undefined;
  readonly logger: Logger;
}

/** Code that a program adds to the gateway. Each addition joins a list below; docs/additions.md shows how. */
export interface Additions {
  /** Apollo plugins, after the gateway's own. With plugins, graphql-js executes all operations. */
  readonly plugins?: readonly ApolloServerPlugin<Context>[] | undefined;
  /** Hooks and routes of Fastify, after the gateway's own. */
  readonly parts?: readonly AppPart[] | undefined;
  /** Resolver classes of type-graphql. graphql-js executes every operation that selects one of their fields. */
  readonly resolvers?: readonly Class[] | undefined;
  /** Store of idempotency keys, in place of Redis or memory. */
  readonly keys?: KeyStore | undefined;
  /** Decides what a caller may do and see. Default: all that the token at the Study API allows. */
  readonly authorize?: Authorize;
}

export interface Gateway {
  /** URL of the gateway, without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** URL of the metrics; `undefined` when metrics are off. */
  readonly metricsUrl: string | undefined;
  /** Waits for the requests under way, then closes everything. Rejects after that if a request had to be cut off. */
  readonly close: () => Promise<void>;
}

/** Starts the gateway. If it cannot listen, closes everything and rejects with Node's error. */
export function startGateway(options: GatewayOptions, additions: Additions = {}): Promise<Gateway> {
  return openTogether((open) => openAll(options, additions, open));
}

const additionNames = new Set(['plugins', 'parts', 'resolvers', 'keys', 'authorize']);

/** @throws ConfigError on a name that is no addition, and on an `authorize` that would admit everybody */
function assertAdditions(additions: Additions): void {
  for (const name of Object.keys(additions))
    if (!additionNames.has(name)) throw new ConfigError(`"${name}" is no addition to the gateway.`);
  if ('authorize' in additions && typeof additions.authorize !== 'function')
    throw new ConfigError('authorize must be a function.');
}

/** The list of all parts of the gateway. Opens the parts in this order; `openTogether` closes them in reverse. */
async function openAll(
  config: GatewayOptions,
  additions: Additions,
  open: Open,
): Promise<Omit<Gateway, 'close'>> {
  assertAdditions(additions);
  const { plugins = [], parts = [], resolvers: addedClasses, authorize } = additions;
  const { auth, http, limits, graphql, telemetry, isProduction, demoToken, logger } = config;
  // With `service`, the Study API gets the gateway's own token from all callers.
  const isOwnToken = auth.authMode === 'service';
  const logRefusal = createRefusalLog(logger);
  const memory = { ...memoryLimits, ...config.memory };
  const contract = compileContract(config.rest.contract);

  const { metricsPort } = telemetry;
  const metrics = open(
    metricsPort === undefined
      ? undefined
      : (await import('./telemetry/metrics.js')).createMetrics(metricsPort, http.host, logger),
  );
  const tracing = open(await loadTracing(config.rest.baseUrl, logger));
  const fetchKeys = config.proxies && createProxiedFetch(config.proxies);
  const keepsClaims = authorize !== undefined;
  const authOptions = { ...auth, fetchKeys, demoToken, keepsClaims, logger };
  const access = isOwnToken
    ? open(await (await import('./auth/service.js')).createServiceAuth(authOptions))
    : forwardAuth;
  const callers = createCallers(access);
  const redis = open(
    config.shared.redisUrl && (await connectRedis(config.shared.redisUrl, logger)),
  );
  const rates = createRateLimits(limits, callers.toCaller, redis, metrics?.countRateRefusal);
  const keys =
    additions.keys ?? (await openKeys(config.keyLimits ?? {}, redis, isProduction, logger));
  const rest = open(
    openRest(config, contract, keys, [
      isProduction ? undefined : explainCalls,
      tracing?.onCall,
      metrics?.onCall,
    ]),
  );
  metrics?.addState(config.rest.maxCalls, rest, redis);

  let schema = addedClasses ? createSchema(resolvers, addedClasses) : ownSchema;
  const federation = graphql.federation && (await import('./features/federation/subgraph.js'));
  if (federation) schema = federation.createSubgraph(schema, addedClasses);
  const errorHandling = createErrorHandling(isOwnToken);
  // When a plan answers, no plugin's `executionDidStart` and `didEncounterErrors` are called.
  const plans = plugins.length > 0 ? undefined : createPlannedExecution(schema, errorHandling);
  const apollo = open(
    await openGraphql(
      { ...graphql, isProduction, schema, errorHandling, plans, logger },
      [
        createOperationLog(logger, isOwnToken),
        isProduction ? undefined : explainListener,
        rates.listener,
        metrics?.listener,
        tracing?.listener,
      ],
      createSandbox(graphql.sandbox, config.rest.contract, demoToken),
      ...plugins,
    ),
  );

  const reportDrift = createDriftLog(logger, metrics?.countDrift);
  const apis = { studies: new StudyApi(reportDrift, contract) };
  const answers = new ByteBudget(memory.maxAllAnswersBytes);
  const createContext = (request: FastifyRequest): Context => {
    const caller = callers.toCaller(request);
    const context: CallContext = {
      requestId: request.id,
      startedAt: performance.now(),
      caller,
      frontend: readFrontend(request.headers),
      apis,
      ...(authorize && createPermission(authorize, caller, request.id, logger)),
      answerBytes: answers.part(FREE_ANSWER_BYTES),
      trace: tracing?.toTrace(request),
      explanation: isProduction ? undefined : toExplanation(request),
    };
    return Object.assign(context, { ledger: rest.openLedger(context, context.answerBytes) });
  };
  const health = addHealth(() => server.isListening(), access.hasIssuerKeys);
  const onGraceEnd = (): void => rest.abort();
  const server = open(
    await openHttp({ ...http, isProduction, logger, logRefusal, onGraceEnd }, [
      callers.addCallers,
      metrics?.addHttp,
      addRequestChecks,
      addCors(http, isProduction),
      rates.addRequests,
      addBodies(http.maxBodyBytes, memory),
      limitResponses(memory),
      addTrustedDocuments(limits.trustedDocuments),
      health,
      addGraphQL(apollo.server, createContext),
      ...parts,
      addExplorer(graphql.explorer, config.rest.contract, demoToken),
      addSdl(schema, graphql, limits),
    ]),
  );
  return {
    metricsUrl: await metrics?.listen([health]),
    url: await server.listen(),
  };
}
