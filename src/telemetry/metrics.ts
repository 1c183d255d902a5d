import type { ApolloServerPlugin } from '@apollo/server';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Context } from '../context.js';
import type { RateVerdict } from '../features/rate-limits/mutation-rate.plugin.js';
import { version } from '../version.js';
import { createDriftMetrics, type WatchDrift } from './drift.metrics.js';
import { createHttpMetrics, type WatchHttp } from './http.metrics.js';
import { serveMetrics, type Management, type MetricsServer } from './metrics.server.js';
import { createOperationMetrics } from './operation.metrics.js';
import { createRestMetrics, type WatchRest } from './rest.metrics.js';
import { addStateMetrics, type GatewayState } from './state.metrics.js';

/** Gauges of prom-client with a counter's suffix, which promtool refuses. Each is the sum of the gauge without the suffix. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];
const LIMITS = ['requests', 'mutation-fields'];
/** The results of idempotency; no other value can become a label. */
const KEY_RESULTS = ['made', 'repeated', 'joined', 'reused', 'unsettled', 'refused'] as const;
type KeyResult = (typeof KEY_RESULTS)[number];

interface RateLimiter {
  spend(callerId: string, cost: number): Promise<RateVerdict>;
}

/** The metrics for Prometheus. docs/operations.md lists all of them. */
export interface Metrics {
  readonly plugin: ApolloServerPlugin<Context>;
  readonly watchHttp: WatchHttp;
  readonly watchRest: WatchRest;
  readonly watchDrift: WatchDrift;
  /** @param limit name of the limit, the label of its refusals */
  watchRateLimiter(limiter: RateLimiter, limit: string): RateLimiter;
  readonly countIdempotentCall: (result: KeyResult) => void;
  watchState(state: GatewayState): void;
  /** Returns the URL to scrape. Rejects with Node's own error when the server cannot listen. */
  listen(management: Management): Promise<string>;
  close(): Promise<void>;
}

export function createMetrics(host: string, port: number): Metrics {
  // Never the global registry: a process may hold several gateways.
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: 'study_gateway_build_info',
    help: 'Always 1; its label says which version runs',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const idempotentCalls = new Counter({
    name: 'study_gateway_idempotent_calls_total',
    help: 'Writes with an idempotency key, by what their key came to',
    labelNames: ['result'],
    registers,
  });
  const rateRefusals = new Counter({
    name: 'study_gateway_rate_limit_refusals_total',
    help: 'What was refused because a caller was over its limit',
    labelNames: ['limit'],
    registers,
  });
  // A counter that begins with 0 shows its first event as an increase.
  for (const result of KEY_RESULTS) idempotentCalls.inc({ result }, 0);
  for (const limit of LIMITS) rateRefusals.inc({ limit }, 0);
  let server: MetricsServer | undefined;

  return {
    plugin: createOperationMetrics(registry),
    watchHttp: createHttpMetrics(registry),
    watchRest: createRestMetrics(registry),
    watchDrift: createDriftMetrics(registry),
    watchRateLimiter: (limiter, limit) => ({
      async spend(callerId, cost) {
        const verdict = await limiter.spend(callerId, cost);
        if (!verdict.isAllowed) rateRefusals.inc({ limit });
        return verdict;
      },
    }),
    countIdempotentCall: (result) => idempotentCalls.inc({ result }),
    watchState: (state) => addStateMetrics(registry, state),
    async listen(management) {
      server = await serveMetrics(registry, { host, port, ...management });
      return server.url;
    },
    async close() {
      await server?.close();
    },
  };
}
