import { diag, DiagLogLevel } from '@opentelemetry/api';
import { getNumberFromEnv, getStringFromEnv, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import * as resources from '@opentelemetry/resources';
import * as sdk from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { version } from '../process/runtime.js';

/** Minimum time between two log lines, in ms: an unavailable collector must not fill the log. */
const REPORT_MS = 60_000;

/**
 * Creates the SDK's source of tracers. Its exporter and detectors read OpenTelemetry's variables; those of the sampler are read
 * here, because only `sdk-node` reads them. For an invalid value, logs a warning and uses the default.
 */
export function createTracerProvider(logger: Pick<Logger, 'warn'>): sdk.TracerProvider {
  const warn = (message: string): void => {
    // Quoted parts are values of variables, which may hold a password.
    const cause = message.replace(/(['"`]).*\1/s, '…');
    logger.warn({ cause }, 'a variable of OpenTelemetry is invalid');
  };
  const none = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: none, debug: none, verbose: none },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  let reportedAt = -Infinity;
  setGlobalErrorHandler((error) => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    const cause = typeof error === 'string' ? error : error.message;
    logger.warn({ cause }, 'spans were lost: the collector did not accept them');
  });
  try {
    const exporter = new OTLPTraceExporter();
    return new sdk.TracerProvider({
      sampler: readSampler(),
      resource: readResource(),
      spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
    });
  } finally {
    // Later messages repeat with each batch.
    diag.disable();
  }
}

function readResource() {
  const own = { 'service.name': 'study-gateway', 'service.version': version };
  const detectors = [
    resources.hostDetector,
    resources.serviceInstanceIdDetector,
    resources.resourceAttributesEnvDetector,
    resources.serviceNameEnvDetector,
  ];
  return resources
    .defaultResource()
    .merge(resources.resourceFromAttributes(own))
    .merge(resources.detectResources({ detectors }));
}

/** Reads `OTEL_TRACES_SAMPLER`. By default, the client of a trace decides, or a share of 10 % is recorded. */
function readSampler(): sdk.Sampler {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER')?.trim() ?? 'parentbased_traceidratio';
  // A recorded create costs up to 60 µs of CPU time more, some 140 without traces.
  const share = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 0.1;
  const ratio = new sdk.TraceIdRatioBasedSampler(share);
  const roots = new Map<string, sdk.Sampler>([
    ['always_on', new sdk.AlwaysOnSampler()],
    ['always_off', new sdk.AlwaysOffSampler()],
    ['traceidratio', ratio],
  ]);
  const root = roots.get(name.replace(/^parentbased_/, ''));
  if (!root) diag.warn('OTEL_TRACES_SAMPLER is unknown, using parentbased_traceidratio');
  if (root && !name.startsWith('parentbased_')) return root;
  return new sdk.ParentBasedSampler({ root: root ?? ratio });
}
