import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TraceContext } from './operation-trace.js';
import type { OperationListener } from '../graphql/operation-listener.js';
import type { OperationContext } from '../graphql/request-context.js';
import { findWorstError } from '../errors/worst-error.js';
import { version } from '../process/runtime.js';
import { OperationNames } from './operation-names.js';
import { OperationSpan, type TracedRequest } from './operation-span.js';
import { ReportingExporter } from './reporting.exporter.js';
import { samplers } from './samplers.js';

export interface TracingOptions {
  /** URL that the exporter sends spans to. */
  readonly url: string;
  /** Name of the service in traces. Defaults to `service.name` of `otelResourceAttributes`, else to `study-gateway`. */
  readonly otelServiceName?: string | undefined;
  readonly otelResourceAttributes?: Readonly<Record<string, string>> | undefined;
  readonly otelTracesSampler: keyof typeof samplers;
  /** Share of traces to record, from 0 to 1, for a sampler that takes a ratio. */
  readonly otelTracesSamplerArg: number;
  readonly studyApiUrl: URL;
  readonly logger: Pick<Logger, 'warn'>;
}

type TracedContext = TraceContext & OperationContext;

export interface Tracing {
  /** Ends the span of each operation. */
  readonly listener: OperationListener<TracedContext>;
  /** Starts the span of an operation, in the trace that the request's headers name or in a new trace. */
  toContext(request: TracedRequest): TraceContext;
  /** Exports the remaining spans for at most 500 ms. Never rejects. */
  close(): Promise<void>;
}

/** Timeout of one export including retries, in ms. */
const EXPORT_MS = 5_000;
/** Timeout for exporting the remaining spans, in ms. After the grace period, shutdown.ts allows 700 ms for closing. */
const FLUSH_MS = 500;

export function createTracing(options: TracingOptions): Tracing {
  const { url, otelServiceName, studyApiUrl, logger } = options;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS });
  const provider = new TracerProvider({
    sampler: samplers[options.otelTracesSampler](options.otelTracesSamplerArg),
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': 'study-gateway',
        'service.version': version,
        'service.instance.id': randomUUID(),
        ...options.otelResourceAttributes,
        ...(otelServiceName !== undefined && { 'service.name': otelServiceName }),
      }),
    ),
    spanProcessors: [new BatchSpanProcessor({ exporter: new ReportingExporter(exporter, logger) })],
  });
  const { hostname, port, protocol } = studyApiUrl;
  const surroundings = {
    tracer: provider.getTracer('study-gateway', version),
    names: new OperationNames(),
    server: {
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    },
  };

  return {
    listener: traceListener,
    toContext: (request) => ({ trace: new OperationSpan(request, surroundings) }),
    async close() {
      const bound = new AbortController();
      await Promise.race([
        // ReportingExporter has already logged the failure.
        provider.shutdown().catch(() => {}),
        sleep(FLUSH_MS, undefined, bound).catch(() => {}),
      ]);
      bound.abort();
    },
  };
}

const traceListener: OperationListener<TracedContext> = {
  async willSendResponse({ operation, contextValue, response: { http, body } }) {
    const { trace, operation: calls } = contextValue;
    const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
    trace?.end({
      operation,
      isAccepted: calls.tally.accepted > 0,
      status: http.status ?? 200,
      error: findWorstError(errors),
    });
  },
};
