import { lookup } from 'node:dns/promises';
import { createApp, type AppOptions, type AppPart } from './app.js';
import type { Phase } from './health.js';

/** Time in ms that requests get for their answers after `onGraceEnd`. */
const LAST_ANSWERS_MS = 200;

/** Creates the HTTP server with its hooks and routes. `listen` starts the server. */
export async function openHttp(options: AppOptions, parts: readonly (AppPart | undefined)[]) {
  const { port, reusePort, shutdownGraceMs, onGraceEnd } = options;
  const { app, connections } = await createApp(options, parts);
  let isStopping = false;
  return {
    get phase(): Phase {
      if (isStopping) return 'shutting down';
      return app.server.listening ? 'ready' : 'starting';
    },
    /** Starts to listen, and returns the server's URL. Rejects with Node's own error when the server cannot listen. */
    async listen(): Promise<string> {
      const host = await toListenAddress(options.host);
      // Fastify passes `reusePort` on to Node, but has no type for this option.
      const address = { host, port, reusePort };
      return app.listen(address);
    },
    /** Answers the requests under way and closes all connections. Rejects if a request outlasted `shutdownGraceMs`. */
    async close(): Promise<void> {
      isStopping = true;
      let cutRequests = 0;
      let timer = setTimeout(() => {
        cutRequests = connections.countRequests();
        onGraceEnd();
        timer = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
      }, shutdownGraceMs);
      await app.close().finally(() => clearTimeout(timer));
      if (cutRequests > 0)
        throw new Error(`requests cut at the end of SHUTDOWN_GRACE_MS: ${cutRequests}`);
    },
  };
}

/**
 * Resolves a host name to its first address, IPv4 before IPv6. Given `localhost`, Fastify would start a further server
 * for each further address, which the gateway could not drain.
 */
export async function toListenAddress(host: string): Promise<string> {
  const { address } = await lookup(host, { order: 'ipv4first' });
  return address;
}
