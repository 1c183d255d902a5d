import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Wrap } from 'rest-outcome';
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

/** Tracing's slice of the context of an operation. */
export interface TraceContext {
  /** Span of the operation; `undefined` when tracing is off. */
  readonly trace?: OperationSpan | undefined;
}

export type Tracing = ReturnType<typeof createTracing>;

/** Timeout for exporting the remaining spans, in ms. After the grace period, shutdown.ts allows 700 ms for closing. */
const FLUSH_MS = 500;

export function createTracing({ studyApiUrl, logger }: TracingOptions) {
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
    /** Ends the span of each operation. */
    listener,
    /** Makes each call a part of its operation's trace. */
    traced,
    /** Starts the span of an operation, in the trace that the request's headers name or in a new trace. */
    toTrace: (request: TracedRequest): OperationSpan => new OperationSpan(request, surroundings),
    /** Exports the remaining spans for at most 500 ms. Never rejects. */
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

const listener: OperationListener<TraceContext & OperationContext> = {
  willSendResponse({ operation, contextValue, response: { http, body } }) {
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

const traced: Wrap<TraceContext> = (next) => (call, operation) => {
  const { trace } = operation.about;
  return trace ? trace.send(call, (begun) => next(begun, operation)) : next(call, operation);
};
