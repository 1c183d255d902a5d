import type { Logger } from 'pino';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

/** Imports and creates the metrics. Without a port, imports nothing and returns `undefined`. */
export async function loadMetrics(
  port: number | undefined,
  host: string,
  logger: Logger,
): Promise<Metrics | undefined> {
  if (port === undefined) return undefined;
  const { createMetrics } = await import('./metrics.js');
  return createMetrics(port, host, logger);
}

/**
 * Imports and creates tracing. Imports nothing and returns `undefined` if the environment asks for no traces: the default of
 * `OTEL_TRACES_EXPORTER` is `otlp` with the URL of a collector, else `none`. The SDK reads all other variables.
 */
export async function loadTracing(studyApiUrl: URL, logger: Logger): Promise<Tracing | undefined> {
  // Not imported from node:process: the import would open `process.stdout`, see log.ts.
  const read = (name: string): string => process.env[name]?.trim() ?? '';
  if (read('OTEL_SDK_DISABLED').toLowerCase() === 'true') return undefined;
  const url = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const exporter = read('OTEL_TRACES_EXPORTER') || (url ? 'otlp' : 'none');
  if (exporter === 'none') return undefined;
  if (exporter !== 'otlp') {
    const cause = 'OTEL_TRACES_EXPORTER must be otlp or none';
    logger.warn({ cause }, 'a variable of OpenTelemetry is invalid');
    return undefined;
  }
  const { createTracing } = await import('./tracing.js');
  return createTracing(studyApiUrl, logger);
}
