import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { createPlannedExecution } from 'planned-execution';
import type { Logger } from 'pino';
import {
  createClient,
  createProxiedFetch,
  idempotent,
  memoryStore,
  type ClientOptions,
  type KeyStore,
  type MemoryStoreOptions,
} from 'rest-outcome';
import { createHeaders, readFrontend } from './auth/caller.js';
import { createCallers } from './auth/callers.js';
import { ConfigError, type Config } from './config/config.js';
import type { CallContext, Context } from './context.js';
import { createPersistedQueries } from './features/documents/persisted-queries.js';
import { addTrustedDocuments } from './features/documents/trusted-documents.js';
import { explainCall, explainListener, toExplanation } from './features/explain/explain.js';
import { addExplorer } from './features/explorer/explorer.js';
import { createSandbox } from './features/explorer/sandbox.js';
import { createRateLimits } from './features/rate-limits.js';
import { addSdl } from './features/sdl/sdl.js';
import { startApollo } from './graphql/apollo.js';
import { createErrorFormat } from './errors/client-error.js';
import { nullConditionsListener } from './graphql/null-conditions.js';
import { createOperationLog } from './graphql/log.js';
import type { Class } from './graphql/resolvers.js';
import { createSchema, resolvers, schema as served } from './graphql/schema.js';
import { addCors } from './http/cors.js';
import { addGraphQL } from './http/graphql-route.js';
import { addHealth } from './http/health.js';
import { addBodies, type BodyLimits } from './http/bodies.js';
import { ByteShare, ByteSum } from './http/byte-budget.js';
import type { ResponseLimits } from './http/responses.js';
import { addEncodingCheck, addRequestChecks } from './http/checks.js';
import { createErrorAnswer, type AppOptions, type AppPart } from './http/app.js';
import { createRefusalLog } from './http/refusal-log.js';
import { createServer } from './http/server.js';
import { openTogether, type Open } from './process/resources.js';
import { version } from './process/runtime.js';
import { connectRedis, type Redis } from './redis/connection.js';
import { createAsk, type Authorize } from './study/authorize.js';
import { createDriftLog } from './study/drift.js';
import { createReadWritten, StudyApi, toClientOptions } from './study/api.js';
import { compileContract } from './study/contract.js';
import type { ReportDrift } from './study/wire.js';
import { createOperationLabels } from './telemetry/operation-labels.js';
import { loadMetrics, loadTracing } from './telemetry/telemetry.js';

/** Maximum size of all answers of the Study API that are read, or held until their response is made, in bytes. */
const MAX_ANSWERS_BYTES = 33_554_432;
/** Number of bytes of the answers of each operation that do not count. */
const FREE_ANSWER_BYTES = 65_536;

/** Maximum number of calls to the Study API that wait for another call to end. */
const MAX_QUEUE = 256;

/** The options of each part. Beyond the configuration, a part may have options whose default is a constant. */
export interface GatewayOptions extends Omit<Config, 'emulator' | 'process'> {
  readonly rest: Config['rest'] &
    Pick<
      ClientOptions<CallContext>,
      'baseUrl' | 'connectTimeoutMs' | 'circuitOpenMs' | 'maxQueue'
    > & {
      baseUrl: URL;
      /** Maximum size of all answers that are read or held. Default: 32 MiB. */
      readonly maxAllAnswersBytes?: number | undefined;
    };
  readonly keys?: MemoryStoreOptions;
  readonly http: Config['http'] &
    Pick<AppOptions, 'headersTimeoutMs'> &
    BodyLimits &
    ResponseLimits;
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
function assertAdditions(additions: Additions): Additions {
  for (const name of Object.keys(additions))
    if (!additionNames.has(name)) throw new ConfigError(`"${name}" is no addition to the gateway.`);
  if ('authorize' in additions && typeof additions.authorize !== 'function')
    throw new ConfigError('authorize must be a function.');
  return additions;
}

/** @param redis `undefined` if the keys are held in memory */
async function openKeys(
  { keys = {}, isProduction, logger }: GatewayOptions,
  redis: Redis | undefined,
): Promise<KeyStore> {
  if (redis) {
    // Imported only when Redis is used, as its client is.
    const { redisStore } = await import('rest-outcome/redis');
    return redisStore(redis, {
      prefix: 'study-gateway:idempotency:',
      ttl: keys.ttlMs,
      onError: (error) =>
        logger.warn(
          { cause: error instanceof Error ? error.message : undefined },
          'redis has not recorded how a call with an idempotency key ended: trying again',
        ),
    });
  }
  if (isProduction)
    logger.warn({}, 'idempotency keys are in memory: a restart of the gateway forgets them');
  return memoryStore(keys);
}

/** The list of all parts of the gateway. Opens the parts in this order; `openTogether` closes them in reverse. */
async function openAll(
  config: GatewayOptions,
  additions: Additions,
  open: Open,
): Promise<Omit<Gateway, 'close'>> {
  const { plugins = [], parts = [], resolvers: added, keys: given } = additions;
  const { authorize } = assertAdditions(additions);
  const { http, limits, graphql, telemetry, isProduction, demoToken, logger } = config;
  const { baseUrl: studyApiUrl } = config.rest;
  const { authMode } = config.auth;
  const { redisUrl } = config.shared;
  const logRefusal = createRefusalLog(logger);
  const metrics = open(await loadMetrics(telemetry.metricsPort, http.host, logger));
  const tracing = open(await loadTracing(studyApiUrl, logger));
  const keepsClaims = authorize !== undefined;
  const fetchKeys = config.proxies && createProxiedFetch(config.proxies);
  const callers = open(
    await createCallers({ ...config.auth, fetchKeys, demoToken, keepsClaims, logger }),
  );
  const redis = open(redisUrl && (await connectRedis(redisUrl, logger)));
  const { toCaller } = callers;
  const rates = createRateLimits(limits, toCaller, redis, metrics?.countRateRefusal);
  // With `service`, the Study API gets the gateway's own token from all callers.
  const isOwnToken = authMode === 'service';
  const keys = given ?? (await openKeys(config, redis));
  const contract = compileContract(config.rest.contract);
  const limitsOfCalls = { maxQueue: MAX_QUEUE, ...config.rest };
  const rest = open(
    createClient<CallContext>({
      ...limitsOfCalls,
      proxies: config.proxies,
      headers: createHeaders(`study-gateway/${version}`),
      ...toClientOptions(contract),
      onCircuitChange: (circuit) =>
        logger.warn({ circuit }, 'the circuit to the Study API changed'),
      keys: idempotent<CallContext>(keys, {
        by: ({ caller }) => caller.callerId(),
        scope: isOwnToken ? ({ caller }) => caller.callerId() : undefined,
        read: createReadWritten(contract),
      }),
      onCall: [isProduction ? undefined : explainCall, tracing?.onCall, metrics?.onCall],
    }),
  );
  const answers = new ByteSum(config.rest.maxAllAnswersBytes ?? MAX_ANSWERS_BYTES);
  const driftLog = createDriftLog(logger);
  const reportDrift: ReportDrift = (...drift) => {
    metrics?.countDrift(...drift);
    driftLog(...drift);
  };
  metrics?.addState(limitsOfCalls.maxCalls, rest, redis);
  const clientSchema = added ? createSchema(resolvers, added) : served;
  const schema = graphql.federation
    ? (await import('./features/federation/subgraph.js')).createSubgraph(clientSchema, added)
    : clientSchema;
  const labels = createOperationLabels(schema, limits.trustedDocuments !== undefined);
  const errors = createErrorFormat({ authMode, demoToken });
  // Plans call neither `executionDidStart` nor `didEncounterErrors`, which a plugin may need.
  const plans =
    plugins.length > 0 ? undefined : createPlannedExecution<Context>(schema, errors, logger);
  const persistedQueryCache = createPersistedQueries();
  const apollo = open(
    await startApollo(
      {
        ...graphql,
        hideSuggestions: isProduction,
        persistedQueryCache,
        schema,
        plans,
        errors,
        logger,
      },
      [
        nullConditionsListener,
        createOperationLog(logger, isOwnToken),
        isProduction ? undefined : explainListener,
        rates.listener,
        metrics?.createListener(labels),
        tracing?.createListener(labels),
      ],
      createSandbox(graphql, config.rest.contract, demoToken),
      ...plugins,
    ),
  );
  const apis = { studies: new StudyApi(reportDrift, contract) };
  const createContext = (request: FastifyRequest): Context => {
    const requestId = request.id;
    const caller = callers.toCaller(request);
    const admittedIds = authorize && new Set<string>();
    const logError = (details: object): void =>
      logger.error({ requestId, ...details }, 'authorize failed');
    const context: CallContext = {
      requestId,
      startedAt: performance.now(),
      caller,
      frontend: readFrontend(request.headers),
      apis,
      authorize: authorize && createAsk(authorize, caller, admittedIds!, logError),
      admittedIds,
      answerBytes: new ByteShare(answers, FREE_ANSWER_BYTES),
      trace: tracing?.toTrace(request),
      explanation: isProduction ? undefined : toExplanation(request, isOwnToken),
    };
    return Object.assign(context, { ledger: rest.begin(context, context.answerBytes) });
  };
  const health = addHealth(() => server.phase, rest, redis, callers.hasIssuerKeys);
  const onGraceEnd = (): void => rest.abort();
  const server = open(
    await createServer({ ...http, isProduction, logger, logRefusal, onGraceEnd }, [
      callers.addCallers,
      metrics?.addHttp,
      addRequestChecks,
      addCors(http, isProduction),
      addEncodingCheck,
      rates.addRequests,
      addBodies(http),
      addTrustedDocuments(limits.trustedDocuments),
      health,
      addGraphQL(apollo.server, createContext, logRefusal, http),
      ...parts,
      addExplorer(graphql.explorer, config.rest.contract, demoToken),
      addSdl(schema, graphql, limits),
    ]),
  );
  const answerErrors: AppPart = (app) => void app.setErrorHandler(createErrorAnswer(logRefusal));
  return {
    metricsUrl: await metrics?.listen([answerErrors, health]),
    url: await server.listen(),
  };
}
