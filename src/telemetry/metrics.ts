import { Registry, collectDefaultMetrics } from 'prom-client';
import { keyResults, type KeyResult } from 'rest-outcome';
import type { AppPart } from '../http/app.js';
import { version } from '../process/runtime.js';
import { createDriftMetrics } from './drift.metrics.js';
import { createHttpMetrics } from './http.metrics.js';
import { Instruments } from './instruments.js';
import { serveMetrics } from './metrics.server.js';
import { createOperationMetrics } from './operation.metrics.js';
import { createRestMetrics } from './rest.metrics.js';
import { addStateMetrics, type ObservedState } from './state.metrics.js';

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
  'answer_bytes',
  'answer_parts',
  'answer_memory',
  'answer_studies',
  'field_errors',
  'response_bytes',
];

export interface MetricsOptions {
  readonly host: string;
  readonly port: number;
  readonly logger: { info(details: object, message: string): void };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics for Prometheus. docs/operations.md lists every metric. */
export function createMetrics(options: MetricsOptions) {
  // Not prom-client's global registry: one process may run several gateways.
  const registry = new Registry();
  const instruments = new Instruments(registry);
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  instruments.gauge(
    'build_info',
    'Always 1; the label `version` is the version of the gateway',
    (gauge) => gauge.set({ version }, 1),
    ['version'],
  );
  const idempotentCalls = instruments.counter(
    'idempotent_calls_total',
    'Writes with an idempotency key, by result',
    ['result'],
  );
  const rateRefusals = instruments.counter(
    'rate_limit_refusals_total',
    'Requests and mutation fields refused because the caller was over the rate limit',
    ['limit'],
  );
  const boundsReached = instruments.counter(
    'bounds_reached_total',
    'Refused requests and answers that would have cost too much, by the bound they passed',
    ['bound'],
  );
  const countBound = (error: object): void => {
    if ('bound' in error && typeof error.bound === 'string')
      boundsReached.inc({ bound: error.bound });
  };
  // Starts every series at 0: Prometheus sees no increase when a series first appears with 1.
  for (const result of keyResults) idempotentCalls.inc({ result }, 0);
  for (const limit of LIMITS) rateRefusals.inc({ limit }, 0);
  for (const bound of BOUNDS) boundsReached.inc({ bound }, 0);
  let server: Awaited<ReturnType<typeof serveMetrics>> | undefined;

  return {
    listener: createOperationMetrics(instruments, countBound),
    addHttp: createHttpMetrics(instruments, countBound),
    counted: createRestMetrics(instruments),
    countedDrift: createDriftMetrics(instruments),
    /** Counts a refusal. @param limit the exceeded limit: `requests` or `mutation-fields` */
    countRateRefusal: (limit: string) => rateRefusals.inc({ limit }),
    countIdempotentCall: (result: KeyResult) => idempotentCalls.inc({ result }),
    addState: (state: ObservedState) => addStateMetrics(instruments, state),
    /** Starts the metrics server. Returns the URL to scrape. Rejects with Node's error if the server cannot listen. */
    async listen(parts: readonly (AppPart | undefined)[]): Promise<string> {
      server = await serveMetrics(registry, options, parts);
      options.logger.info({ url: server.url }, 'metrics are served');
      return server.url;
    },
    close: async () => server?.close(),
  };
}
