import type { IncomingHttpHeaders } from 'node:http';
import {
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { OperationEnding, OperationTrace } from './operation-trace.js';
import type { RestSender } from '../rest/rest-client.js';
import type { OperationNames } from './operation-names.js';
import { sendTraced, type ServerAttributes } from './rest-span.js';
import { readTraceContext } from './trace-context.js';

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
  readonly #context: Context;

  constructor(
    { id, method, url, protocol, headers }: TracedRequest,
    private readonly surroundings: Surroundings,
  ) {
    const parent = readTraceContext(headers);
    const attributes = {
      'http.request.method': method,
      'http.route': '/graphql',
      'url.path': url.split('?', 1)[0],
      // `protocol` may be any text: a proxy may pass on the client's `X-Forwarded-Proto`.
      'url.scheme': protocol === 'https' ? 'https' : 'http',
      'study_gateway.request_id': id,
    };
    // `graphql` is provisional: `end` renames the span once the operation is known.
    const options = { kind: SpanKind.SERVER, attributes };
    this.#span = surroundings.tracer.startSpan('graphql', options, parent);
    this.#context = trace.setSpan(parent, this.#span);
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  traced(rest: RestSender): RestSender {
    const { tracer, server } = this.surroundings;
    return { send: (call) => sendTraced(rest, call, tracer, this.#context, server) };
  }

  end({ operation, isAccepted, status, error }: OperationEnding): void {
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
