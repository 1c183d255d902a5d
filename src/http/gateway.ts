import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { createApollo } from '../graphql/apollo.js';
import type { Context } from '../graphql/context.js';
import { Explanation } from '../graphql/explain.plugin.js';
import { withIdempotency } from '../idempotency/idempotent-rest-client.js';
import { connectRedis } from '../redis/redis.connection.js';
import { createRestClient } from '../rest/rest-client.js';
import { createDriftLog } from '../study/drift-log.js';
import { StudyApi } from '../study/study.api.js';
import { createApp, type AppOptions } from './app.js';
import { readBearerToken } from './authorization.js';
import { addBodyParser } from './body.parser.js';
import { addCors } from './cors.plugin.js';
import { addExplorer } from './explorer.route.js';
import { addGraphQLRoute } from './graphql.route.js';
import { addHealthRoutes } from './health.route.js';
import { addOperationLimits } from './operation-limits.plugin.js';
import { addRequestChecks } from './request-checks.plugin.js';
import { addSecurityHeaders } from './security-headers.plugin.js';

export interface GatewayOptions extends Config, AppOptions {
  readonly studyApiUrl: URL;
  /** A token of the emulator, to prefill Sandbox and the explorer with. */
  readonly demoToken?: string | undefined;
  readonly logger: Logger;
}

export interface Gateway {
  /** Where it listens, without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Answers the requests under way, for as long as `shutdownGraceMs`, and then lets everything go. */
  readonly close: () => Promise<void>;
}

/** Starts the gateway. Rejects with Node's own error when it cannot listen. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, port, logger } = options;
  const redis = options.redisUrl && (await connectRedis(options.redisUrl, logger));
  const api = createRestClient({
    baseUrl: options.studyApiUrl,
    deadlineMs: options.studyApiTimeoutMs,
    connectTimeoutMs: options.studyApiConnectTimeoutMs,
    maxAnswerBytes: options.studyApiMaxAnswerBytes,
    maxCalls: options.studyApiMaxCalls,
    maxQueue: options.studyApiMaxQueue,
    circuitOpenMs: options.studyApiCircuitOpenMs,
    onCircuitChange: (circuit) => logger.warn({ circuit }, 'the circuit to the Study API changed'),
  });
  const rest = withIdempotency(api, options, redis);
  const reportDrift = createDriftLog(logger);
  const apollo = createApollo(options);
  await apollo.start();

  const createContext = ({ id: requestId, raw, headers }: FastifyRequest): Context => {
    const token = (): string => readBearerToken(raw);
    const caller = { requestId, token, callerId: () => hash('sha256', token(), 'base64url') };
    const isExplained = !options.isProduction && headers['x-study-explain'] === '1';
    const explanation = isExplained ? new Explanation() : undefined;
    const studies = new StudyApi(explanation?.watch(rest) ?? rest, caller, reportDrift);
    return { requestId, studies, explanation };
  };

  const app = createApp(options);
  let isReady = true;
  addSecurityHeaders(app);
  await addCors(app, options);
  addRequestChecks(app);
  addBodyParser(app);
  addOperationLimits(app, options);
  addHealthRoutes(
    app,
    () => isReady,
    () => rest.circuit,
    () => redis?.state,
  );
  addGraphQLRoute(app, { apollo, createContext });
  if (options.explorer) addExplorer(app, options.demoToken);

  const close = async (): Promise<void> => {
    isReady = false;
    const cut = setTimeout(() => app.server.closeAllConnections(), options.shutdownGraceMs);
    await app.close().finally(() => clearTimeout(cut));
    await apollo.stop();
    await rest.close();
    redis?.close();
  };
  try {
    return { url: await app.listen({ host, port }), close };
  } catch (error) {
    await close();
    throw error;
  }
}
