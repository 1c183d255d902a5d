import { once } from 'node:events';
import { Server } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { createApp, type AppOptions, type AppPart } from './app.js';

/** Time in ms that requests get for their answers after `onGraceEnd`. */
const LAST_ANSWERS_MS = 200;
/** Time in ms that idle connections stay open while the gateway closes. A busy load balancer reuses each one sooner. */
const IDLE_DRAIN_MS = 1_000;
/** Number of pending connections that are accepted before the port closes, which would reset them. */
const MAX_PENDING = 500;

/** Creates the HTTP server with its hooks and routes. `listen` starts the server. */
export async function openHttp(options: AppOptions, parts: readonly (AppPart | undefined)[]) {
  const { port, reusePort, shutdownGraceMs, onGraceEnd } = options;
  const { app, connections } = await createApp(options, parts);
  app.addHook('preClose', async () => {
    if (options.isProduction) await drain(app.server);
    connections.closeSilent();
  });
  return {
    isListening: () => app.server.listening,
    /** Starts to listen, and returns the server's URL. Rejects with Node's own error when the server cannot listen. */
    async listen(): Promise<string> {
      const host = toListenAddress(options.host);
      // Fastify passes `reusePort` on to Node, but has no type for this option.
      const address = { host, port, reusePort };
      return app.listen(address);
    },
    /** Answers the requests under way and closes all connections. Rejects if a request outlasted `shutdownGraceMs`. */
    async close(): Promise<void> {
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

/** Given `localhost`, Fastify would start one server for IPv4 and one for IPv6, which the gateway could not drain. */
export function toListenAddress(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

/**
 * Accepts no new connection, and keeps idle connections open for `IDLE_DRAIN_MS`. A load balancer may already be sending a
 * request on an idle connection: if that connection closed, the request would be lost, and a lost write must not be retried.
 */
async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  // Node accepts one connection in each turn.
  for (let turns = 0; turns < MAX_PENDING; turns++) await turn();
  const closed = once(server, 'close');
  // Not `http.Server.prototype.close`, which would close idle connections at once.
  Server.prototype.close.call(server);
  await Promise.race([closed, sleep(IDLE_DRAIN_MS, undefined, { ref: false })]);
  // Node runs timers before it reads sockets: one more turn reads the requests that have already arrived.
  await turn();
}

/**
 * Adds the health endpoints. `GET /health/live` answers 200 while the process runs. `GET /health/ready` answers 503
 * before the server listens, during shutdown, and until the keys of the issuer were there once: then a rollout stops before
 * it replaces gateways that work. The circuit breaker, Redis and later outages of the issuer never change the status: a 503
 * would remove all replicas at once, and clients would no longer learn what is wrong.
 *
 * @param hasIssuerKeys returns whether the keys of the issuer have ever been fetched; tries to fetch them if not
 */
export function addHealth(
  isListening: () => boolean,
  hasIssuerKeys: () => Promise<boolean>,
): AppPart {
  return (app) => {
    app.get('/health/live', () => ({ status: 'ok' }));
    app.get('/health/ready', async (_, reply) => {
      const isReady = (await hasIssuerKeys()) && isListening();
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
    });
  };
}
