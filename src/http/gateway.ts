import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createApollo } from '../graphql/apollo.js';
import type { Context } from '../graphql/context.js';
import { createRestClient } from '../rest/rest-client.js';
import { createDriftLog } from '../study/drift-log.js';
import { StudyApi } from '../study/study.api.js';
import { createApp } from './app.js';
import { readBearerToken } from './authorization.js';
import { addGraphQLRoute } from './graphql.route.js';
import { addHealthRoutes } from './health.route.js';

export interface GatewayOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly studyApiUrl: URL;
  readonly studyApiTimeoutMs: number;
  readonly introspection: boolean;
  readonly sandbox: boolean;
  /** A token of the emulator, to prefill Sandbox with. */
  readonly demoToken?: string | undefined;
  readonly logger: Logger;
}

export interface Gateway {
  /** Where it listens, without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Answers the requests under way, and then lets everything go. */
  readonly close: () => Promise<void>;
}

/** Starts the gateway. Rejects with Node's own error when it cannot listen. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, port, logger, studyApiUrl, studyApiTimeoutMs } = options;
  const rest = createRestClient({ baseUrl: studyApiUrl, timeoutMs: studyApiTimeoutMs });
  const reportDrift = createDriftLog(logger);
  const apollo = createApollo(options);
  await apollo.start();

  const createContext = ({ id: requestId, raw }: FastifyRequest): Context => {
    const caller = { requestId, token: () => readBearerToken(raw) };
    return { requestId, studies: new StudyApi(rest, caller, reportDrift) };
  };

  const app = createApp(logger);
  let isReady = true;
  addHealthRoutes(app, () => isReady);
  addGraphQLRoute(app, { apollo, createContext });

  const close = async (): Promise<void> => {
    isReady = false;
    await app.close();
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
