import Fastify from 'fastify';
import type { Logger } from 'pino';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { withoutSchemas, type AppPart } from '../http/app.js';
import { toListenAddress } from '../http/server.js';
import { version } from '../process/runtime.js';
import { createHttpMetrics } from './http.metrics.js';
import { createInstruments } from './instruments.js';
import type { AcceptedNames } from './operation-names.js';
import { createOperationMetrics } from './operation.metrics.js';
import { addStateMetrics, createDriftMetrics, createRestMetrics } from './rest.metrics.js';

/** Gauges of prom-client that promtool refuses: `_total` is for counters. Each sums the gauge without that suffix. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];
/** Values of the label `bound`. An error has the value in `bound`. */
const BOUNDS = [
  'body_bytes',
  'body_memory',
  'body_separators',
  'document',
  'answer_bytes',
  'answer_memory',
  'answer_studies',
  'field_errors',
];

/** Time in ms that a scrape under way gets to finish when the gateway stops. */
const GRACE_MS = 200;
const MAX_CONNECTIONS = 100;

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics for Prometheus. docs/operations.md lists every metric. */
export function createMetrics(port: number, host: string, names: AcceptedNames, logger: Logger) {
  // Not prom-client's global registry: one process may run several gateways.
  const registry = new Registry();
  const instruments = createInstruments(registry);
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  instruments.gauge(
    'build_info',
    'Always 1; the label `version` is the version of the gateway',
    (gauge) => gauge.set({ version }, 1),
    ['version'],
  );
  const countBoundReached = instruments.counterOf(
    'bounds_reached_total',
    'Refused requests and answers that would have cost too much, by the bound they passed',
    'bound',
    BOUNDS,
  );
  const countBound = (error: object): void => {
    if ('bound' in error && typeof error.bound === 'string') countBoundReached(error.bound);
  };
  const app = Fastify({ schemaController: withoutSchemas });
  app.server.maxConnections = MAX_CONNECTIONS;

  return {
    listener: createOperationMetrics(instruments, countBound, names),
    addHttp: createHttpMetrics(instruments, countBound),
    onCall: createRestMetrics(instruments),
    countedDrift: createDriftMetrics(instruments),
    countRateRefusal: instruments.counterOf(
      'rate_limit_refusals_total',
      'Requests and mutation fields refused because the caller was over the rate limit',
      'limit',
      ['requests', 'mutation-fields'],
    ),
    addState: addStateMetrics.bind(undefined, instruments),
    /**
     * Serves `GET /metrics`, and what `parts` add, on a separate port. Clients need not reach this port, and its
     * connections do not count towards the clients' limit. Rejects with Node's own error when the server cannot listen.
     *
     * @returns the URL to scrape, such as `http://127.0.0.1:9464/metrics`
     */
    async listen(parts: readonly (AppPart | undefined)[]): Promise<string> {
      for (const addTo of parts) await addTo?.(app);
      app.get('/metrics', async (_, reply) =>
        reply.type(registry.contentType).send(await registry.metrics()),
      );
      const url = `${await app.listen({ host: await toListenAddress(host), port })}/metrics`;
      logger.info({ url }, 'metrics are served');
      return url;
    },
    async close() {
      const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
      await app.close().finally(() => clearTimeout(cut));
    },
  };
}
