import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { addMethodNotAllowed, addNotFound, answerError } from './error.answers.js';
import { addJsonParser } from './json.parser.js';
import { createOpenApi } from './openapi.js';
import { addScenarios } from './scenarios.js';
import { addStudyRoutes } from './study.routes.js';
import type { StudyStore } from './study.store.js';

export interface AppOptions {
  readonly store: StudyStore;
  /** The accepted bearer tokens. Default: the demo token and the tokens of the scenarios. */
  readonly tokens?: readonly string[] | undefined;
  readonly logger?: FastifyBaseLogger | undefined;
}

/** The bearer token that the emulator accepts unless `AppOptions.tokens` is set. */
export const demoToken = 'demo-token';

const bodyLimitBytes = 1024 * 1024;

/**
 * Maximum length of a path parameter. Exceeds any URL that Node accepts: Fastify answers 404 to a longer parameter, but
 * an invalid id must get a 422.
 */
const maxParamLength = 65_536;

/** Creates the emulator's HTTP app, which does not listen yet. */
export function createApp({ store, tokens, logger }: AppOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    ...(logger && { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength },
    frameworkErrors: answerError,
  });
  addJsonParser(app);
  app.setErrorHandler(answerError);
  addNotFound(app);
  addMethodNotAllowed(app, '/studies', ['GET', 'POST']);
  addMethodNotAllowed(app, '/studies/:study_id', ['GET', 'PATCH']);
  addMethodNotAllowed(app, '/openapi.json', ['GET']);

  const openApi = createOpenApi();
  app.get('/openapi.json', async () => openApi);

  app.register(async (studies) => {
    const owners = new Map((tokens ?? [demoToken]).map((token) => [token, token]));
    addStudyRoutes(studies, store, owners);
    if (!tokens) addScenarios(studies, owners, demoToken);
  });
  return app;
}
