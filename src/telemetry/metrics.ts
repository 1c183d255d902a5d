import Fastify from 'fastify';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { withoutSchemas, type AppPart } from '../http/app.js';
import { toListenAddress } from '../http/server.js';
import { version } from '../process/runtime.js';
import { OTHER_NAME, type ReportDrift } from '../study/drift.js';
import { contractNames } from '../study/page.js';
import { createHttpMetrics } from './http-metrics.js';
import { createCounterOf } from './instruments.js';
import type { OperationLabeller } from './operation-labels.js';
import { createOperationMetrics } from './operation-metrics.js';
import { addStateMetrics, createRestMetrics } from './rest-metrics.js';

/** Of prom-client's metrics of the process, those that an alert, a panel or docs/operations.md uses. */
const PROCESS_METRICS = [
  'process_start_time_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_heap_size_used_bytes',
  'nodejs_external_memory_bytes',
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

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics for Prometheus. docs/operations.md lists every metric. */
export function createMetrics(port: number, host: string, logger: Logger) {
  // Not prom-client's global registry: one process may run several gateways.
  const registry = new Registry();
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  new Gauge({
    name: 'study_gateway_build_info',
    help: 'Always 1; the label `version` is the version of the gateway',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  const countBoundReached = createCounterOf(
    registry,
    'study_gateway_bounds_reached_total',
    'Refused requests and answers that would have cost too much, by the bound they passed',
    'bound',
    BOUNDS,
  );
  const countBound = (error: object): void => {
    if ('bound' in error && typeof error.bound === 'string') countBoundReached(error.bound);
  };
  const drift = new Counter({
    name: 'study_gateway_drift_total',
    help: 'Fields of Study API answers that differ from the contract',
    labelNames: ['field', 'expected', 'received'],
    registers: [registry],
  });
  const countDrift: ReportDrift = (name, expected, received) => {
    const field = contractNames.has(name) ? name : OTHER_NAME;
    drift.inc({ field, expected, received });
  };
  const app = Fastify({ schemaController: withoutSchemas, forceCloseConnections: true });
  app.server.maxConnections = 100;

  async function expose(): Promise<string> {
    // Some of prom-client's metrics are set when another one is collected, so all are collected first.
    await ofProcess.metrics();
    const used = PROCESS_METRICS.map((name) => ofProcess.getSingleMetricAsString(name));
    return `${[await registry.metrics(), ...(await Promise.all(used))].join('\n').trimEnd()}\n`;
  }

  return {
    addHttp: createHttpMetrics(registry, countBound),
    onCall: createRestMetrics(registry),
    countDrift,
    countRateRefusal: createCounterOf(
      registry,
      'study_gateway_rate_limit_refusals_total',
      'Requests and mutation fields refused because the caller was over the rate limit',
      'limit',
      ['requests', 'mutation-fields'],
    ),
    createListener: (labels: OperationLabeller) =>
      createOperationMetrics(registry, countBound, labels),
    addState: addStateMetrics.bind(undefined, registry),
    /**
     * Serves `GET /metrics`, and what `parts` add, on a port whose connections do not count towards the clients' limit.
     * Rejects with Node's own error when the server cannot listen. @returns the URL, `http://127.0.0.1:9464/metrics`
     */
    async listen(parts: readonly (AppPart | undefined)[]): Promise<string> {
      for (const addTo of parts) await addTo?.(app);
      app.get('/metrics', async (_, reply) =>
        reply.type(registry.contentType).send(await expose()),
      );
      const url = `${await app.listen({ host: await toListenAddress(host), port })}/metrics`;
      logger.info({ url }, 'metrics are served');
      return url;
    },
    close: () => app.close(),
  };
}
