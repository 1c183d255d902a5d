import type { IncomingHttpHeaders } from 'node:http';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { OperationEnding, OperationTrace } from './operation-trace.js';
import type { RestSender } from '../rest/rest-call.js';
import type { OperationNames } from './operation-names.js';
import { propagator, sendTraced, toTraceHeaders, type ServerAttributes } from './rest-span.js';

/** The properties of an HTTP request that its span describes. */
export interface TracedRequest {
  readonly id: string;
  readonly method: string;
  /** Path and query string. */
  readonly url: string;
  /** Protocol of the connection, or the `X-Forwarded-Proto` of a trusted proxy, which may be any text. */
  readonly protocol: string;
  readonly headers: IncomingHttpHeaders;
}

interface Surroundings {
  readonly tracer: Tracer;
  readonly names: OperationNames;
  readonly server: ServerAttributes;
}

/** Matches the error codes that make a span fail: the gateway or the Study API is at fault, not the client. */
const FAILURE = /^(UPSTREAM_|INTERNAL_SERVER_ERROR$|OVERLOADED$)/;

/** The span of one operation. A span that is never ended is never exported. */
export class OperationSpan implements OperationTrace {
  readonly #span: Span;
  readonly #parent: Context;

  constructor(
    { id, method, url, protocol, headers }: TracedRequest,
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

  traced(rest: RestSender): RestSender {
    const { tracer, server } = this.surroundings;
    const context = trace.setSpan(this.#parent, this.#span);
    if (!this.#span.isRecording()) {
      // No sampler records the calls of an operation that it does not record.
      const traceContext = toTraceHeaders(context);
      return { send: (call) => rest.send({ ...call, traceContext }) };
    }
    return { send: (call) => sendTraced(rest, call, tracer, context, server) };
  }

  end({ operation, isAccepted, status, error }: OperationEnding): void {
    if (!this.#span.isRecording()) return;
    const { operation_type: type, operation_name: name } = this.surroundings.names.toLabels(
      operation,
      isAccepted,
    );
    this.#span.updateName(`${type} ${name}`).setAttributes({
      'graphql.operation.type': type,
      'graphql.operation.name': name,
      'http.response.status_code': status,
      ...(error && { 'error.type': error.code }),
      ...(error?.outcome && { 'study_gateway.outcome': error.outcome }),
    });
    if (error && FAILURE.test(error.code)) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}
