import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { answerError, ApiError } from './answers.js';
import { toOpenApi } from './openapi.js';
import { addJsonParser } from './requests.js';
import { addStudyRoutes } from './routes.js';
import { addScenarios, toShown } from './scenarios.js';
import type { Study } from './schema.js';
import { openStudyStore } from './store.js';

export { toOpenApi } from './openapi.js';
export { scenarios, type Scenario } from './scenarios.js';

export interface EmulatorOptions {
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** TCP port. Default: 0, which selects any free port. */
  readonly port?: number;
  /** Path of the SQLite file, which is created with its directory if missing. Default: `:memory:`. */
  readonly database?: string;
  /** The accepted bearer tokens. Default: `demo-token` and the tokens of the scenarios. */
  readonly tokens?: readonly string[] | undefined;
  readonly logger?: FastifyBaseLogger | undefined;
}

export interface Emulator {
  /** Base URL without a slash at the end: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** A bearer token that the emulator accepts. */
  readonly token: string;
  /** Destroys open connections and closes the database. May be called more than once. */
  readonly close: () => Promise<void>;
}

const demoToken = 'demo-token';

/**
 * Starts an emulator of the Study API, which stores its studies in SQLite.
 *
 * @throws Node's error, with `code` and `port`, when the emulator cannot listen on the address
 */
export async function startEmulator({
  host = '127.0.0.1',
  port = 0,
  database = ':memory:',
  tokens,
  logger,
}: EmulatorOptions = {}): Promise<Emulator> {
  const store = openStudyStore(database);
  const app: FastifyInstance = Fastify({
    ...(logger && { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    frameworkErrors: answerError,
  });
  app.addHook('onClose', async () => store.close());
  addJsonParser(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(async () => {
    throw new ApiError(404, 'Not Found');
  });
  const openApi = toOpenApi();
  app.get('/openapi.json', async () => openApi);

  app.register(async (routes) => {
    const owners = new Map((tokens ?? [demoToken]).map((token) => [token, token]));
    const show = tokens ? (_request: unknown, shown: Study) => shown : toShown;
    addStudyRoutes(routes, { store, owners, show });
    if (!tokens) addScenarios(routes, owners, demoToken);
  });
  try {
    const url = await app.listen({ host, port });
    return { url, token: tokens?.[0] ?? demoToken, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
