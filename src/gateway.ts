import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createCallers } from './auth/callers.js';
import type { Config } from './config/config.js';
import { toRestOptions } from './config/rest-options.js';
import type { Context, FieldContext } from './context.js';
import { createPlannedExecution } from './execution/planned-execution.js';
import { createPersistedQueries } from './features/documents/persisted-queries.js';
import { addTrustedDocuments } from './features/documents/trusted-documents.hook.js';
import { explained, explainListener, toExplainContext } from './features/explain/explain.js';
import { addExplorer } from './features/explorer/explorer.route.js';
import { createSandbox } from './features/explorer/sandbox.plugin.js';
import { addHostCheck, createHostCheck } from './features/hosts/hosts.hook.js';
import { createListedStudiesLimit } from './features/document-limits/listed-studies.listener.js';
import { addOperationLimits } from './features/document-limits/operation-limits.hook.js';
import { createRateLimits } from './features/rate-limits/rate-limits.js';
import { addSdl } from './features/sdl/sdl.route.js';
import { startApollo } from './graphql/apollo.js';
import { createErrorFormat } from './graphql/format-error.js';
import { nullConditionsListener } from './graphql/null-conditions.listener.js';
import { createLongResponses } from './graphql/long-responses.listener.js';
import { createOperationLog } from './graphql/operation-log.listener.js';
import { schema as served } from './graphql/schema.js';
import { addCors } from './http/cors.hook.js';
import { addGraphQL } from './http/graphql.route.js';
import { addHealth, createHealth } from './http/health.route.js';
import { addBodyParser, addEncodingCheck, addRequestChecks } from './http/request-checks.hook.js';
import { createServer } from './http/server.js';
import { withIdempotency } from './idempotency/idempotent-rest-client.js';
import { openTogether, type Open } from './process/opened.js';
import { connectRedis } from './redis/redis.connection.js';
import { Operation, type Field } from './rest/operation.js';
import { createRestClient } from './rest/rest-client.js';
import { createDriftLog } from './study/drift-log.js';
import { StudyApi } from './study/study.api.js';
import { traced } from './telemetry/operation-trace.js';
import { counted, countedDrift, loadMetrics, loadTracing } from './telemetry/telemetry.js';

export interface GatewayOptions extends Config {
  readonly studyApiUrl: URL;
  /** Token of the emulator: prefilled in Sandbox and explorer, and the default for the gateway's own token. */
  readonly demoToken?: string | undefined;
  readonly logger: Logger;
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
export function startGateway(options: GatewayOptions): Promise<Gateway> {
  return openTogether((open) => openAll(options, open));
}

/** The list of all parts of the gateway. Opens the parts in this order; `openTogether` closes them in reverse. */
async function openAll(config: GatewayOptions, open: Open): Promise<Omit<Gateway, 'close'>> {
  const metrics = open(await loadMetrics(config));
  const tracing = open(await loadTracing(config));
  const callers = open(await createCallers(config));
  const redis = open(config.redisUrl && (await connectRedis(config.redisUrl, config.logger)));
  const client = createRestClient(toRestOptions(config));
  const api = counted(client, metrics);
  const rest = open(withIdempotency(api, config, redis, metrics?.countIdempotentCall));
  const reportDrift = countedDrift(createDriftLog(config.logger), metrics);
  const { toCaller, toContext } = callers;
  const rates = createRateLimits(config, { toCaller, redis, onRefusal: metrics?.countRateRefusal });
  metrics?.addState(rest, redis, config);
  const schema = config.federation ? (await import('./graphql/subgraph.js')).subgraph : served;
  const errors = createErrorFormat(config);
  const plans = config.plans ? createPlannedExecution(schema, errors, config.logger) : undefined;
  const apollo = open(
    await startApollo<Context>(
      { ...config, ...createPersistedQueries(), schema, plans, errors },
      [
        nullConditionsListener,
        createListedStudiesLimit(config),
        createLongResponses(errors, config.studyApiAnswerBudgetBytes),
        createOperationLog(config),
        config.isProduction ? undefined : explainListener,
        rates.listener,
        metrics?.listener,
        tracing?.listener,
      ],
      createSandbox(config),
    ),
  );
  const createContext = (request: FastifyRequest): Context => {
    const slices = {
      ...toContext(request),
      ...tracing?.toContext(request),
      ...toExplainContext(request, config),
      ...rates.toContext(request),
    };
    const sender = explained(traced(rates.remembered(rest, request), slices), slices);
    const operation = new Operation(sender, slices.caller);
    const at = (field: Field): FieldContext => ({
      scope: slices,
      studies: new StudyApi(field, reportDrift),
    });
    return { ...slices, operation, at };
  };
  const health = createHealth(() => server.phase, rest, redis);
  const hostCheck = createHostCheck(callers, config);
  const server = open(
    await createServer({ ...config, onGraceEnd: () => client.abort() }, [
      callers.addCallers,
      metrics?.addHttp,
      addRequestChecks,
      hostCheck && addHostCheck(hostCheck),
      addCors(config),
      addEncodingCheck,
      rates.addRequests,
      addBodyParser,
      addTrustedDocuments(config.trustedDocuments),
      addOperationLimits(config),
      addHealth(health),
      addGraphQL({ apollo: apollo.server, createContext }),
      addExplorer(config),
      addSdl(schema, config),
    ]),
  );
  return { metricsUrl: await metrics?.listen(hostCheck, health), url: await server.listen() };
}
