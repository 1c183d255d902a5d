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

/** The part of an HTTP request that its span tells of. */
export interface TracedRequest {
  readonly id: string;
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** As the client, or a proxy that is trusted, says. */
  readonly protocol: string;
  readonly headers: IncomingHttpHeaders;
}

interface Surroundings {
  readonly tracer: Tracer;
  readonly names: OperationNames;
  readonly server: ServerAttributes;
}

/** Failures of the gateway or the Study API; what else is refused is the client's to put right. */
const FAILURE = /^(UPSTREAM_|INTERNAL_SERVER_ERROR$|OVERLOADED$)/;

/** The span of one operation. One that is never ended is never exported. */
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
      // A proxy may pass on whatever its client has written there.
      'url.scheme': protocol === 'https' ? 'https' : 'http',
      'study_gateway.request_id': id,
    };
    // Named at its end, when it is known.
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
