import type { Metrics } from './metrics.js';
import type { Tracing, TracingOptions } from './tracing.js';

/** Imports and creates the metrics; `undefined` without a port, which then cost nothing. */
export async function loadMetrics(
  host: string,
  port: number | undefined,
): Promise<Metrics | undefined> {
  if (port === undefined) return undefined;
  const { createMetrics } = await import('./metrics.js');
  return createMetrics(host, port);
}

export interface LoadTracingOptions extends Omit<TracingOptions, 'url'> {
  readonly otelSdkDisabled: boolean;
  /** Base URL of a collector, which takes traces at `v1/traces` below it. */
  readonly otelExporterOtlpEndpoint?: string | undefined;
  /** The whole URL for traces, in place of the base URL. */
  readonly otelExporterOtlpTracesEndpoint?: string | undefined;
}

/** Imports and creates tracing; `undefined` without a collector, and then at no cost. */
export async function loadTracing(options: LoadTracingOptions): Promise<Tracing | undefined> {
  const { otelExporterOtlpEndpoint: base, otelExporterOtlpTracesEndpoint } = options;
  const url = otelExporterOtlpTracesEndpoint ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined || options.otelSdkDisabled) return undefined;
  const { createTracing } = await import('./tracing.js');
  return createTracing({ ...options, url });
}
