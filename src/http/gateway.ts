import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { createApollo } from '../graphql/apollo.js';
import type { Context } from '../graphql/context.js';
import { createRestClient } from '../rest/rest-client.js';
import { createDriftLog } from '../study/drift-log.js';
import { StudyApi } from '../study/study.api.js';
import { createApp } from './app.js';
import { readBearerToken } from './authorization.js';
import { addBodyParser } from './body.parser.js';
import { addCors } from './cors.plugin.js';
import { addGraphQLRoute } from './graphql.route.js';
import { addHealthRoutes } from './health.route.js';
import { addOperationLimits } from './operation-limits.plugin.js';
import { addSecurityHeaders } from './security-headers.plugin.js';

export interface GatewayOptions extends Config {
  readonly studyApiUrl: URL;
  /** A token of the emulator, to prefill Sandbox with. */
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
  const rest = createRestClient({
    baseUrl: options.studyApiUrl,
    deadlineMs: options.studyApiTimeoutMs,
    connectTimeoutMs: options.studyApiConnectTimeoutMs,
    maxAnswerBytes: options.studyApiMaxAnswerBytes,
    maxCalls: options.studyApiMaxCalls,
    maxQueue: options.studyApiMaxQueue,
    circuitOpenMs: options.studyApiCircuitOpenMs,
    onCircuitChange: (circuit) => logger.warn({ circuit }, 'the circuit to the Study API changed'),
  });
  const reportDrift = createDriftLog(logger);
  const apollo = createApollo(options);
  await apollo.start();

  const createContext = ({ id: requestId, raw }: FastifyRequest): Context => {
    const caller = { requestId, token: () => readBearerToken(raw) };
    return { requestId, studies: new StudyApi(rest, caller, reportDrift) };
  };

  const app = createApp(options);
  let isReady = true;
  addSecurityHeaders(app);
  addCors(app, options);
  addBodyParser(app);
  addOperationLimits(app, options);
  addHealthRoutes(
    app,
    () => isReady,
    () => rest.circuit,
  );
  addGraphQLRoute(app, { apollo, createContext });

  const close = async (): Promise<void> => {
    isReady = false;
    const cut = setTimeout(() => app.server.closeAllConnections(), options.shutdownGraceMs);
    await app.close();
    clearTimeout(cut);
    await apollo.stop();
    await rest.close();
  };
  try {
    return { url: await app.listen({ host, port }), close };
  } catch (error) {
    await close();
    throw error;
  }
}
