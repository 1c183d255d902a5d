import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApolloServerPlugin } from '@apollo/server';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger.js';
import type { StudyContext } from '../study/study.resolver.js';
import type { TraceContext } from './operation-trace.js';
import { statelessPlugin } from '../graphql/stateless.plugin.js';
import { findWorstError } from '../graphql/worst-error.js';
import { version } from '../version.js';
import { OperationNames } from './operation-names.js';
import { OperationSpan, type TracedRequest } from './operation-span.js';
import { ReportingExporter } from './reporting.exporter.js';
import { samplers } from './samplers.js';

export interface TracingOptions {
  /** URL that spans are sent to. */
  readonly url: string;
  /** Default: `study-gateway`, or the `service.name` of the attributes. */
  readonly otelServiceName?: string | undefined;
  readonly otelResourceAttributes?: Readonly<Record<string, string>> | undefined;
  readonly otelTracesSampler: keyof typeof samplers;
  /** The share that a sampler by ratio records, from 0 to 1. */
  readonly otelTracesSamplerArg: number;
  readonly studyApiUrl: URL;
  readonly logger: Pick<Logger, 'warn'>;
}

type TracedContext = TraceContext & StudyContext;

export interface Tracing {
  /** Ends the span of each operation. */
  readonly plugin: ApolloServerPlugin<TracedContext>;
  /** Begins a span, as part of the trace that the request's headers name. */
  toContext(request: TracedRequest): TraceContext;
  /** Sends what has not been sent, for a short time, and never rejects. */
  close(): Promise<void>;
}

/** Longest time of one export, with its retries. */
const EXPORT_MS = 5_000;
/** Longest time to send the remaining spans; shutdown.ts allows 700 ms beyond the grace period for all of stopping. */
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
    plugin: tracePlugin,
    toContext: (request) => ({ trace: new OperationSpan(request, surroundings) }),
    async close() {
      const bound = new AbortController();
      await Promise.race([
        // ReportingExporter has logged the failure.
        provider.shutdown().catch(() => {}),
        sleep(FLUSH_MS, undefined, bound).catch(() => {}),
      ]);
      bound.abort();
    },
  };
}

const tracePlugin = statelessPlugin<TracedContext>({
  async willSendResponse({ operation, contextValue, response: { http, body } }) {
    const { trace, studies } = contextValue;
    const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
    trace?.end({
      operation,
      isAccepted: studies.tally.accepted > 0,
      status: http.status ?? 200,
      error: findWorstError(errors),
    });
  },
});
