import { toListenAddress } from '../listen-address.js';
import { createApp, type AppOptions, type AppPart } from './app.js';
import { watchUnderWay } from './connection/under-way.js';
import type { Phase } from './health.route.js';

export interface ServerOptions extends AppOptions {
  readonly host: string;
  readonly port: number;
  /** Whether other processes may listen on the same port. */
  readonly reusePort: boolean;
  /** How long requests under way may take when the server closes, in ms. */
  readonly shutdownGraceMs: number;
}

export interface Server {
  readonly phase: Phase;
  /** Returns the URL. Rejects with Node's own error when it cannot listen. */
  listen(): Promise<string>;
  /** Answers the requests under way. Rejects, once all connections are closed, when a request was cut. */
  close(): Promise<void>;
}

/** The HTTP server with its hooks and routes, not listening yet. */
export async function createServer(
  options: ServerOptions,
  parts: readonly (AppPart | undefined)[],
): Promise<Server> {
  const { port, reusePort, shutdownGraceMs } = options;
  const app = await createApp(options, parts);
  const countUnderWay = watchUnderWay(app.server);
  let isStopping = false;
  return {
    get phase() {
      if (isStopping) return 'shutting down';
      return app.server.listening ? 'ready' : 'starting';
    },
    async listen() {
      const host = await toListenAddress(options.host);
      // Node's option, which Fastify passes on and has no type for.
      const address = { host, port, reusePort };
      return app.listen(address);
    },
    async close() {
      isStopping = true;
      let cutRequests = 0;
      const cut = setTimeout(() => {
        cutRequests = countUnderWay();
        app.server.closeAllConnections();
      }, shutdownGraceMs);
      await app.close().finally(() => clearTimeout(cut));
      if (cutRequests > 0)
        throw new Error(`requests cut at the end of SHUTDOWN_GRACE_MS: ${cutRequests}`);
    },
  };
}
