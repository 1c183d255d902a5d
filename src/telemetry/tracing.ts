import { setTimeout as sleep } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  defaultTextMapSetter,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyRequest } from 'fastify';
import type { OperationDefinitionNode } from 'graphql';
import type { Logger } from 'pino';
import { RestError, type OnCall, type RestCall } from 'rest-outcome';
import { toldFailures } from '../errors/told-failures.js';
import { findWorstError, type WorstError } from '../errors/worst-error.js';
import type { OperationContext, OperationListener } from '../graphql/operation-listener.js';
import { version } from '../process/runtime.js';
import type { AcceptedNames } from './operation-names.js';
import { createTracerProvider } from './tracer-provider.js';

/** Tracing's slice of the context of an operation. */
export interface TraceContext {
  /** Span of the operation; `undefined` when tracing is off. */
  readonly trace?: OperationSpan | undefined;
}

export type Tracing = ReturnType<typeof createTracing>;

/** Timeout for exporting the remaining spans, in ms. After the grace period, shutdown.ts allows 700 ms for closing. */
const FLUSH_MS = 500;

export function createTracing(
  studyApiUrl: URL,
  names: AcceptedNames,
  logger: Pick<Logger, 'warn'>,
) {
  const provider = createTracerProvider(logger);
  const { hostname, port, protocol } = studyApiUrl;
  const surroundings = {
    tracer: provider.getTracer('study-gateway', version),
    names,
    server: {
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    },
  };

  return {
    listener,
    onCall,
    /** Starts the span of an operation, in the trace that the request's headers name or in a new trace. */
    toTrace: (request: FastifyRequest) => new OperationSpan(request, surroundings),
    /** Exports the remaining spans for at most 500 ms. Never rejects. */
    async close() {
      // The exporter has already logged the failure.
      const flushed = provider.shutdown().catch(() => {});
      await Promise.race([flushed, sleep(FLUSH_MS)]);
    },
  };
}

const listener: OperationListener<TraceContext & OperationContext> = {
  willSendResponse({ operation, contextValue, response: { http, body } }) {
    const { trace, ledger, frontend } = contextValue;
    const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
    const worst = errors && findWorstError(errors);
    trace?.end(operation, ledger.tally.accepted > 0, http.status ?? 200, worst, frontend);
  },
};

const onCall: OnCall<TraceContext> = (call, { trace }) => trace?.beginCall(call);

interface Surroundings {
  readonly tracer: Tracer;
  readonly names: AcceptedNames;
  /** Span attributes with the address of the Study API. */
  readonly server: Attributes;
}

/** Matches the error codes that make a span fail: the gateway or the Study API is at fault, not the client. */
const FAILURE = /^(UPSTREAM_|INTERNAL_SERVER_ERROR$|OVERLOADED$)/;

const propagator = new W3CTraceContextPropagator();

/** The span of one operation. A span that is never ended is never exported. */
class OperationSpan {
  readonly #span: Span;
  readonly #parent: Context;

  constructor(
    { id, method, url, protocol, headers }: FastifyRequest,
    private readonly surroundings: Surroundings,
  ) {
    const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    // `graphql` is provisional: `end` renames the span once the operation is known.
    const span = surroundings.tracer.startSpan('graphql', { kind: SpanKind.SERVER }, parent);
    this.#span = span;
    this.#parent = parent;
    // The SDK checks and copies attributes even of a span that is not recorded.
    if (!span.isRecording()) return;
    span.setAttributes({
      'http.request.method': method,
      'http.route': '/graphql',
      'url.path': url.split('?', 1)[0],
      // `protocol` may be any text: a proxy may pass on the client's `X-Forwarded-Proto`.
      'url.scheme': protocol === 'https' ? 'https' : 'http',
      'study_gateway.request_id': id,
    });
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  /**
   * Begins a child span for a call, and adds the span's trace context to the headers of the call. The span contains neither
   * the id in the path nor any error message.
   *
   * @returns the function that ends the span
   */
  beginCall(call: RestCall): ReturnType<OnCall<unknown>> {
    const { tracer, server } = this.surroundings;
    const parent = trace.setSpan(this.#parent, this.#span);
    // No sampler records the calls of an operation that it does not record.
    if (!this.#span.isRecording()) {
      addTraceHeaders(call, parent);
      return undefined;
    }
    const { method, template, entry } = call;
    const span = tracer.startSpan(`${method} ${template}`, { kind: SpanKind.CLIENT }, parent);
    // Not given to `startSpan`, which would check and copy them twice.
    span.setAttributes({ 'http.request.method': method, 'url.template': template, ...server });
    addTraceHeaders(call, trace.setSpan(parent, span));
    return (error) => {
      if (error !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute('error.type', toErrorType(error));
        if (error instanceof RestError) span.setAttribute('study_gateway.outcome', error.outcome);
      }
      const { attempts } = entry;
      const status = attempts.at(-1)?.status;
      span.setAttribute('study_gateway.attempts', attempts.length);
      if (attempts.length > 1) span.setAttribute('http.request.resend_count', attempts.length - 1);
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      span.end();
    };
  }

  /**
   * Ends the operation's span. Call once.
   *
   * @param isAccepted whether the Study API accepted a call of the operation
   * @param status status of the HTTP response
   * @param error the most serious error of the response
   * @param frontend program that sent the operation
   */
  end(
    operation: OperationDefinitionNode | undefined,
    isAccepted: boolean,
    status: number,
    error: WorstError | undefined,
    { name: client, version: clientVersion }: OperationContext['frontend'],
  ): void {
    if (!this.#span.isRecording()) return;
    const { operation_type: type, operation_name: name } = this.surroundings.names.toLabels(
      operation,
      isAccepted,
    );
    this.#span.updateName(`${type} ${name}`).setAttributes({
      'graphql.operation.type': type,
      'graphql.operation.name': name,
      'http.response.status_code': status,
      ...(client !== undefined && { 'client.name': client }),
      ...(clientVersion !== undefined && { 'client.version': clientVersion }),
      ...(error && { 'error.type': error.code }),
      ...(error?.outcome && { 'study_gateway.outcome': error.outcome }),
    });
    if (error && FAILURE.test(error.code)) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

/**
 * Returns the span's `error.type` by OpenTelemetry's conventions: the status if the Study API answered with an error
 * status, the label of any other RestError, or `other`.
 */
function toErrorType(error: unknown): string {
  if (!(error instanceof RestError)) return 'other';
  const [label] = toldFailures[error.failure];
  return label === 'RestStatusError' ? String(error.status) : label;
}

/** Tells the called server that the span of `context` is its parent. */
function addTraceHeaders({ headers }: RestCall, context: Context): void {
  propagator.inject(context, headers, defaultTextMapSetter);
}
