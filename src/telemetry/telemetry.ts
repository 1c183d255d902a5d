import type { ReportDrift } from '../study/study.wire.js';
import type { Metrics, MetricsOptions } from './metrics.js';
import type { Tracing, TracingOptions } from './tracing.js';

export interface LoadMetricsOptions extends Omit<MetricsOptions, 'port'> {
  readonly metricsPort?: number | undefined;
}

/** Imports and creates the metrics. Without a port, imports nothing and returns `undefined`. */
export async function loadMetrics({
  metricsPort: port,
  ...options
}: LoadMetricsOptions): Promise<Metrics | undefined> {
  if (port === undefined) return undefined;
  const { createMetrics } = await import('./metrics.js');
  return createMetrics({ ...options, port });
}

export interface LoadTracingOptions extends Omit<TracingOptions, 'url'> {
  readonly otelSdkDisabled: boolean;
  /** Base URL of a collector; the traces go to `v1/traces` below this URL. */
  readonly otelExporterOtlpEndpoint?: string | undefined;
  /** Full URL for traces; takes precedence over the base URL. */
  readonly otelExporterOtlpTracesEndpoint?: string | undefined;
}

/**
 * Imports and creates tracing. Without the URL of a collector, or when tracing is disabled, imports nothing and returns
 * `undefined`.
 */
export async function loadTracing(options: LoadTracingOptions): Promise<Tracing | undefined> {
  const { otelExporterOtlpEndpoint: base, otelExporterOtlpTracesEndpoint } = options;
  const url = otelExporterOtlpTracesEndpoint ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined || options.otelSdkDisabled) return undefined;
  const { createTracing } = await import('./tracing.js');
  return createTracing({ ...options, url });
}

/** Returns a report that also counts drift; `report` itself when metrics are off. */
export function countedDrift(report: ReportDrift, metrics: Metrics | undefined): ReportDrift {
  return metrics?.countedDrift(report) ?? report;
}
