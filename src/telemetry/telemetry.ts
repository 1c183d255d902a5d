import type { RestClient } from '../rest/rest-client.js';
import type { ReportDrift } from '../study/study.wire.js';
import type { Metrics, MetricsOptions } from './metrics.js';
import type { Tracing, TracingOptions } from './tracing.js';

export interface LoadMetricsOptions extends Omit<MetricsOptions, 'port'> {
  readonly metricsPort?: number | undefined;
}

/** Loaded only where they are on: what is off costs nothing. `undefined` without a port. */
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

/** Returns a client whose calls are counted where metrics are on. */
export function counted(rest: RestClient, metrics: Metrics | undefined): RestClient {
  return metrics?.counted(rest) ?? rest;
}

/** Returns a report that also counts drift where metrics are on. */
export function countedDrift(report: ReportDrift, metrics: Metrics | undefined): ReportDrift {
  return metrics?.countedDrift(report) ?? report;
}
