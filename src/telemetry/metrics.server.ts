import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { toListenAddress } from '../http/server.js';

export interface MetricsServer {
  /** URL to scrape, such as `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

interface ManagementAnswer {
  readonly status: number;
  readonly body: object;
}

/** Requests that the metrics server refuses, and paths that it serves besides `/metrics`. */
export interface Management {
  /** Called first for each request. Returns a refusal to send, or `undefined`. Default: refuses nothing. */
  readonly refuse?: ((request: IncomingMessage) => ManagementAnswer | undefined) | undefined;
  /** Functions that return the answer to a GET or HEAD, by path. */
  readonly paths: ReadonlyMap<string, () => ManagementAnswer>;
}

export interface MetricsServerOptions extends Management {
  readonly host: string;
  readonly port: number;
}

/** Time in ms that a scrape under way gets to finish when the gateway stops. */
const GRACE_MS = 200;
const MAX_CONNECTIONS = 100;

/**
 * Serves `GET /metrics` and the management paths on a separate port. Clients need not reach this port, and its
 * connections do not count towards the clients' limit. Rejects with Node's own error when the server cannot listen.
 */
export async function serveMetrics(
  registry: Registry,
  { host, port, refuse, paths }: MetricsServerOptions,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const refusal = refuse?.(request);
    if (refusal) return sendJson(response, refusal);
    const path = request.url?.split('?')[0] ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const answer = isRead ? paths.get(path) : undefined;
    if (answer) return sendJson(response, answer());
    if (path !== '/metrics' || !isRead) return void response.writeHead(404).end();
    return void registry.metrics().then(
      (text) => response.setHeader('content-type', registry.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, await toListenAddress(host));
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

function sendJson(response: ServerResponse, { status, body }: ManagementAnswer): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(body));
}
