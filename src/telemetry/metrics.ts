import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { OperationListener } from '../graphql/operation-listener.js';
import type { OperationContext } from '../graphql/request-context.js';
import { keyResults, type KeyResult } from '../idempotency/idempotency-keys.js';
import { version } from '../process/runtime.js';
import type { Wrap } from '../rest/operation.js';
import { createDriftMetrics, type CountDrift } from './drift.metrics.js';
import { createHttpMetrics, type CountHttp } from './http.metrics.js';
import { serveMetrics, type Management, type MetricsServer } from './metrics.server.js';
import { createOperationMetrics } from './operation.metrics.js';
import { createRestMetrics } from './rest.metrics.js';
import { createStateMetrics, type AddState } from './state.metrics.js';

/** Gauges of prom-client that promtool refuses: `_total` is for counters. Each sums the gauge without that suffix. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];
/** Values of the label `limit` of rate limit refusals. */
const LIMITS = ['requests', 'mutation-fields'];
/** Values of the label `bound`. An error has the value in `bound`. */
const BOUNDS = [
  'body_bytes',
  'body_values',
  'document',
  'listed_studies',
  'answer_parts',
  'answer_studies',
  'field_errors',
];

/** The metrics for Prometheus. docs/operations.md lists every metric. */
export interface Metrics {
  readonly listener: OperationListener<OperationContext>;
  readonly addHttp: CountHttp;
  readonly counted: Wrap;
  readonly countedDrift: CountDrift;
  /** Counts a refusal. @param limit the exceeded limit: `requests` or `mutation-fields` */
  readonly countRateRefusal: (limit: string) => void;
  readonly countIdempotentCall: (result: KeyResult) => void;
  readonly addState: AddState;
  /** Starts the metrics server. Returns the URL to scrape. Rejects with Node's error if the server cannot listen. */
  listen(refuse: Management['refuse'], paths: Management['paths']): Promise<string>;
  close(): Promise<void>;
}

export interface MetricsOptions {
  readonly host: string;
  readonly port: number;
  readonly logger: { info(details: object, message: string): void };
}

export function createMetrics({ host, port, logger }: MetricsOptions): Metrics {
  // Not prom-client's global registry: one process may run several gateways.
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: 'study_gateway_build_info',
    help: 'Always 1; the label `version` is the version of the gateway',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const idempotentCalls = new Counter({
    name: 'study_gateway_idempotent_calls_total',
    help: 'Writes with an idempotency key, by result',
    labelNames: ['result'],
    registers,
  });
  const rateRefusals = new Counter({
    name: 'study_gateway_rate_limit_refusals_total',
    help: 'Requests and mutation fields refused because the caller was over the rate limit',
    labelNames: ['limit'],
    registers,
  });
  const boundsReached = new Counter({
    name: 'study_gateway_bounds_reached_total',
    help: 'Refused requests and answers that would have cost too much, by the bound they passed',
    labelNames: ['bound'],
    registers,
  });
  const countBound = (error: object): void => {
    if ('bound' in error && typeof error.bound === 'string')
      boundsReached.inc({ bound: error.bound });
  };
  // Starts every series at 0: Prometheus sees no increase when a series first appears with 1.
  for (const result of keyResults) idempotentCalls.inc({ result }, 0);
  for (const limit of LIMITS) rateRefusals.inc({ limit }, 0);
  for (const bound of BOUNDS) boundsReached.inc({ bound }, 0);
  let server: MetricsServer | undefined;

  return {
    listener: createOperationMetrics(registry, countBound),
    addHttp: createHttpMetrics(registry, countBound),
    counted: createRestMetrics(registry),
    countedDrift: createDriftMetrics(registry),
    countRateRefusal: (limit) => rateRefusals.inc({ limit }),
    countIdempotentCall: (result) => idempotentCalls.inc({ result }),
    addState: createStateMetrics(registry),
    async listen(refuse, paths) {
      server = await serveMetrics(registry, { host, port, refuse, paths });
      logger.info({ url: server.url }, 'metrics are served');
      return server.url;
    },
    async close() {
      await server?.close();
    },
  };
}
