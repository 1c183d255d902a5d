import { diag, DiagLogLevel } from '@opentelemetry/api';
import { getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  hostDetector,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import * as sdk from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { version } from '../process/runtime.js';

/** Value of OpenTelemetry's `ExportResultCode.SUCCESS`. */
const SUCCESS = 0;
/** Minimum time between two log lines, in ms: an unavailable collector must not fill the log. */
const REPORT_MS = 60_000;
/** Maximum length of an exporter's error message in the log, in characters. */
const MAX_CAUSE_LENGTH = 200;

/**
 * Creates the SDK's source of tracers. The SDK, its exporter and its detectors read the variables of OpenTelemetry's
 * specification. An invalid value is logged as a warning, and its default is used.
 */
export function createTracerProvider(logger: Pick<Logger, 'warn'>): sdk.TracerProvider {
  const warn = (message: string): void => {
    // Quoted parts are values of variables, which may hold a password.
    const cause = message.replace(/(['"`]).*\1/s, '…');
    logger.warn({ cause }, 'a variable of OpenTelemetry is invalid');
  };
  const none = (): void => undefined;
  // The detector of OTEL_RESOURCE_ATTRIBUTES reports an invalid value at the level `debug`.
  const debug = (message: string): void => {
    if (message.includes(' failed: ')) warn(message);
  };
  diag.setLogger(
    { error: warn, warn, info: none, debug, verbose: none },
    { logLevel: DiagLogLevel.DEBUG, suppressOverrideMessage: true },
  );
  try {
    checkProtocol();
    const exporter = reportLoss(new OTLPTraceExporter(), logger);
    return new sdk.TracerProvider({
      sampler: readSampler(),
      resource: readResource(),
      spanProcessors: [new sdk.BatchSpanProcessor({ exporter, ...readBatchLimits() })],
    });
  } finally {
    // Later messages repeat with each batch; `reportLoss` logs lost spans.
    diag.disable();
  }
}

/** Exports spans through `exporter`, and logs at most once a minute how many spans were lost. */
function reportLoss(exporter: sdk.SpanExporter, logger: Pick<Logger, 'warn'>): sdk.SpanExporter {
  let lost = 0;
  let reportedAt = -Infinity;
  const report = (count: number, error: Error | undefined): void => {
    lost += count;
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) return;
    const cause = error?.message.slice(0, MAX_CAUSE_LENGTH);
    logger.warn({ spans: lost, cause }, 'spans were lost: the collector did not accept them');
    lost = 0;
    reportedAt = now;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const code: number = result.code;
        if (code !== SUCCESS) report(spans.length, result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function checkProtocol(): void {
  const protocol =
    getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ??
    getStringFromEnv('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol !== undefined && protocol.trim() !== 'http/protobuf')
    diag.warn('the OTLP protocol is http/protobuf, the only one of this gateway');
}

function readResource() {
  const own = { 'service.name': 'study-gateway', 'service.version': version };
  const detectors = [
    hostDetector,
    serviceInstanceIdDetector,
    resourceAttributesEnvDetector,
    serviceNameEnvDetector,
  ];
  return defaultResource().merge(resourceFromAttributes(own)).merge(detectResources({ detectors }));
}

/** Reads `OTEL_TRACES_SAMPLER`. By default, the client of a trace decides, or a share of 10 % is recorded. */
function readSampler(): sdk.Sampler {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER')?.trim() ?? 'parentbased_traceidratio';
  const [, parentBased, rootName = ''] =
    /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  if (rootName === '') diag.warn('OTEL_TRACES_SAMPLER is unknown, using parentbased_traceidratio');
  const root = createRootSampler(rootName);
  return parentBased || rootName === '' ? new sdk.ParentBasedSampler({ root }) : root;
}

function createRootSampler(name: string): sdk.Sampler {
  if (name === 'always_on') return new sdk.AlwaysOnSampler();
  if (name === 'always_off') return new sdk.AlwaysOffSampler();
  const isShare = (value: number): boolean => value >= 0 && value <= 1;
  // A recorded create costs up to 60 µs of CPU time more, some 140 without traces.
  return new sdk.TraceIdRatioBasedSampler(readNumber('OTEL_TRACES_SAMPLER_ARG', 0.1, isShare));
}

/** Reads `OTEL_BSP_*`, with the defaults of the specification. A batch size of 0 would make the SDK loop forever. */
function readBatchLimits() {
  const isCount = (value: number): boolean => value >= 1;
  return {
    maxQueueSize: readNumber('OTEL_BSP_MAX_QUEUE_SIZE', 2_048, isCount),
    scheduledDelayMillis: readNumber('OTEL_BSP_SCHEDULE_DELAY', 5_000, isCount),
    exportTimeoutMillis: readNumber('OTEL_BSP_EXPORT_TIMEOUT', 30_000, isCount),
    maxExportBatchSize: readNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, isCount),
  };
}

function readNumber(name: string, standard: number, isValid: (value: number) => boolean): number {
  const value = getNumberFromEnv(name) ?? standard;
  if (isValid(value)) return value;
  diag.warn(`${name} is out of range, using ${standard}`);
  return standard;
}
