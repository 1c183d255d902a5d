import type { Logger } from 'pino';
import type { Tracing } from './tracing.js';

/**
 * Imports and creates tracing. Imports nothing and returns `undefined` if the environment asks for no traces: the default of
 * `OTEL_TRACES_EXPORTER` is `otlp` with the URL of a collector, and every other value sends none. The SDK reads all other
 * variables.
 */
export async function loadTracing(studyApiUrl: URL, logger: Logger): Promise<Tracing | undefined> {
  // Not imported from node:process: the import would open `process.stdout`, see log.ts.
  const read = (name: string): string => process.env[name]?.trim() ?? '';
  if (read('OTEL_SDK_DISABLED').toLowerCase() === 'true') return undefined;
  const url = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const exporter = read('OTEL_TRACES_EXPORTER') || (url && 'otlp');
  if (exporter !== 'otlp') return undefined;
  const { createTracing } = await import('./tracing.js');
  return createTracing(studyApiUrl, logger);
}
