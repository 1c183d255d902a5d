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

/** Imports and creates tracing. Imports nothing and returns `undefined` if the environment asks for no traces. */
export async function loadTracing(studyApiUrl: URL, logger: Logger): Promise<Tracing | undefined> {
  const exporters = readExporters();
  if (exporters.some((name) => name !== 'otlp' && name !== 'none'))
    logger.warn(
      { cause: 'OTEL_TRACES_EXPORTER must be otlp or none' },
      'a variable of OpenTelemetry is invalid',
    );
  if (!exporters.includes('otlp') || exporters.includes('none')) return undefined;
  const { createTracing } = await import('./tracing.js');
  return createTracing(studyApiUrl, logger);
}

/**
 * Reads OpenTelemetry's variables that turn traces on or off; the SDK, which reads all others, is loaded only if they are
 * on. The default of `OTEL_TRACES_EXPORTER` is `otlp` with the URL of a collector, else `none`.
 */
function readExporters(): readonly string[] {
  // Not imported from node:process: the import would open `process.stdout`, see log.ts.
  const read = (name: string): string => process.env[name]?.trim() ?? '';
  if (read('OTEL_SDK_DISABLED').toLowerCase() === 'true') return ['none'];
  const url = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const names = read('OTEL_TRACES_EXPORTER') || (url ? 'otlp' : 'none');
  return names.split(',').map((name) => name.trim());
}
