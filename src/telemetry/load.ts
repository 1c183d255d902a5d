import type { Metrics } from './metrics.js';
import type { Tracing, TracingOptions } from './tracing.js';

/** Loaded only where they are on: what is off costs nothing. `undefined` without a port. */
export async function loadMetrics(
  host: string,
  port: number | undefined,
): Promise<Metrics | undefined> {
  if (port === undefined) return undefined;
  const { createMetrics } = await import('./metrics.js');
  return createMetrics(host, port);
}

/** The same; `undefined` without a collector. */
export async function loadTracing(
  endpoint: string | undefined,
  options: Omit<TracingOptions, 'endpoint'>,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./tracing.js');
  return createTracing({ ...options, endpoint });
}
