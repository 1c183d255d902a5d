import type { FastifyBaseLogger } from 'fastify';
import { createApp, demoToken } from './app.js';
import { openStudyStore } from './study.store.js';

export interface EmulatorOptions {
  readonly host: string;
  /** TCP port; 0 selects any free port. */
  readonly port: number;
  /** Path of the SQLite file, which is created with its directory if missing; or `:memory:`. */
  readonly database: string;
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

/**
 * Starts an emulator of the Study API, which stores its studies in SQLite.
 *
 * @throws Node's error, with `code` and `port`, when the emulator cannot listen on the address
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { host, port, database, tokens, logger } = options;
  const store = openStudyStore(database);
  const app = createApp({ store, tokens, logger });
  app.addHook('onClose', async () => store.close());
  try {
    const url = await app.listen({ host, port });
    return { url, token: tokens?.[0] ?? demoToken, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
