import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TraceContext } from './operation-trace.js';
import type { OperationListener } from '../graphql/operation-listener.js';
import type { OperationContext } from '../graphql/request-context.js';
import { findWorstError } from '../errors/worst-error.js';
import { version } from '../process/runtime.js';
import { OperationNames } from './operation-names.js';
import { OperationSpan, type TracedRequest } from './operation-span.js';
import { createTracerProvider } from './tracer-provider.js';

export interface TracingOptions {
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

/** Timeout for exporting the remaining spans, in ms. After the grace period, shutdown.ts allows 700 ms for closing. */
const FLUSH_MS = 500;

export function createTracing({ studyApiUrl, logger }: TracingOptions): Tracing {
  const provider = createTracerProvider(logger);
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
