import type { FastifyBaseLogger } from 'fastify';
import { createApp, demoToken } from './app.js';
import { openStudyStore } from './study.store.js';

export interface EmulatorOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A file, created with its directory, or `:memory:`. */
  readonly database: string;
  /** The accepted bearer tokens. Default: `demo-token` and the tokens of the scenarios. */
  readonly tokens?: readonly string[] | undefined;
  readonly logger?: FastifyBaseLogger | undefined;
}

export interface Emulator {
  /** `http://127.0.0.1:4010`, without a slash at the end. */
  readonly url: string;
  /** A bearer token that works. */
  readonly token: string;
  /** Cuts open connections and closes the database. May be called more than once. */
  readonly close: () => Promise<void>;
}

/**
 * A Study API of its own over SQLite.
 *
 * @throws Node's own error, with `code` and `port`, when the address cannot be listened on
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
