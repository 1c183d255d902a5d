import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  readonly url: string;
  close(): Promise<void>;
}

/** A scrape that is under way when the gateway stops may take so long. */
const GRACE_MS = 200;
const MAX_CONNECTIONS = 100;

/** Serves `GET /metrics`, on a port that clients need not reach. Rejects with Node's own error when it cannot listen. */
export async function serveMetrics(
  registry: Registry,
  host: string,
  port: number,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD'))
      return void response.writeHead(404).end();
    return void registry.metrics().then(
      (text) => response.setHeader('content-type', registry.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening');

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const address = server.address() as AddressInfo;
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${address.port}/metrics`,
    async close() {
      const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      server.close();
      await once(server, 'close').finally(() => clearTimeout(cut));
    },
  };
}
