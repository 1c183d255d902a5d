import Fastify from 'fastify';
import type { Registry } from 'prom-client';
import { withoutSchemas, type AppPart } from '../http/app.js';
import { toListenAddress } from '../http/server.js';

/** Time in ms that a scrape under way gets to finish when the gateway stops. */
const GRACE_MS = 200;
const MAX_CONNECTIONS = 100;

/**
 * Serves `GET /metrics`, and what `parts` add, on a separate port. Clients need not reach this port, and its connections
 * do not count towards the clients' limit. Rejects with Node's own error when the server cannot listen.
 *
 * @returns the URL to scrape, such as `http://127.0.0.1:9464/metrics`
 */
export async function serveMetrics(
  registry: Registry,
  { host, port }: { readonly host: string; readonly port: number },
  parts: readonly (AppPart | undefined)[],
) {
  const app = Fastify({ schemaController: withoutSchemas });
  app.server.maxConnections = MAX_CONNECTIONS;
  for (const addTo of parts) await addTo?.(app);
  app.get('/metrics', async (_, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  const url = await app.listen({ host: await toListenAddress(host), port });
  return {
    url: `${url}/metrics`,
    async close() {
      const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
      await app.close().finally(() => clearTimeout(cut));
    },
  };
}
