import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@opentelemetry/api';
import { globalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { RestError, type OnCall } from 'rest-outcome';
import type { CallContext, Trace } from '../context.js';
import { findWorstError } from '../errors/worst-error.js';
import type { OperationListener } from '../graphql/listener.js';
import { version } from '../process/runtime.js';
import { toRootField } from './root-field.js';
import { createTracerProvider } from './tracer-provider.js';

export type Tracing = ReturnType<typeof createTracing>;

/** Timeout for exporting the remaining spans, in ms. After the grace period, shutdown.ts allows 500 ms for closing. */
const FLUSH_MS = 300;

/** Matches the error codes that make a span fail: the gateway or the Study API is at fault, not the client. */
const FAILURE = /^(UPSTREAM_|INTERNAL_SERVER_ERROR$|OVERLOADED$)/;

/** Creates tracing. Attributes are set after `startSpan`, which would copy them before the sampler has decided. */
export function createTracing({ hostname, port, protocol }: URL, logger: Pick<Logger, 'warn'>) {
  const provider = createTracerProvider(logger);
  const tracer = provider.getTracer('study-gateway', version);
  const propagator = new W3CTraceContextPropagator();
  const server = {
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  };

  return {
    /** Starts the span of an operation, in the trace that the request's headers name or in a new trace. */
    toTrace({ id, method, headers }: FastifyRequest): Trace {
      const parent = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter);
      // `graphql` is provisional: the listener renames the span once the operation is known.
      const span = tracer.startSpan('graphql', { kind: api.SpanKind.SERVER }, parent);
      span.setAttributes({
        'http.request.method': method,
        'http.route': '/graphql',
        'study_gateway.request_id': id,
      });
      return {
        traceId: span.spanContext().traceId,
        span,
        context: api.trace.setSpan(parent, span),
      };
    },

    /** Ends the span of each operation. */
    listener: {
      willSendResponse({ document, operation, contextValue, response: { http, body } }) {
        const { trace, frontend } = contextValue;
        if (!trace?.span.isRecording()) return;
        const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
        const worst = errors && findWorstError(errors);
        const type = operation?.operation ?? 'unknown';
        trace.span.updateName(`${type} ${toRootField(document, operation)}`).setAttributes({
          'graphql.operation.type': type,
          'http.response.status_code': http.status ?? 200,
          ...(frontend.name !== undefined && { 'client.name': frontend.name }),
          ...(frontend.version !== undefined && { 'client.version': frontend.version }),
          ...(worst && { 'error.type': worst.code }),
          ...(worst?.outcome && { 'study_gateway.outcome': worst.outcome }),
        });
        if (worst && FAILURE.test(worst.code))
          trace.span.setStatus({ code: api.SpanStatusCode.ERROR });
        trace.span.end();
      },
    } satisfies OperationListener,

    /**
     * Adds a child span for each call, and its trace context to the headers of the call. The span contains neither the id in
     * the path nor any error message.
     */
    onCall: (({ method, template, attempts, headers }, { trace }) => {
      if (!trace) return undefined;
      const name = `${method} ${template}`;
      const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT }, trace.context);
      span.setAttributes({ 'http.request.method': method, 'url.template': template, ...server });
      propagator.inject(api.trace.setSpan(trace.context, span), headers, api.defaultTextMapSetter);
      return (error) => {
        if (error !== undefined) {
          span.setStatus({ code: api.SpanStatusCode.ERROR });
          const isKnown = error instanceof RestError;
          span.setAttribute('error.type', isKnown ? error.failure : 'other');
          if (isKnown) span.setAttribute('study_gateway.outcome', error.outcome);
        }
        const status = attempts.at(-1)?.status;
        span.setAttribute('study_gateway.attempts', attempts.length);
        if (status !== undefined) span.setAttribute('http.response.status_code', status);
        span.end();
      };
    }) satisfies OnCall<CallContext>,

    /** Exports the remaining spans for at most 300 ms. Never rejects. */
    async close() {
      const flushed = provider.shutdown().catch(globalErrorHandler);
      await Promise.race([flushed, sleep(FLUSH_MS)]);
    },
  };
}
