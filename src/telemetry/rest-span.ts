import {
  SpanKind,
  SpanStatusCode,
  defaultTextMapSetter,
  trace,
  type Context,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { RestError } from '../rest/errors.js';
import type { JsonObject, RestAttempt, RestCall, RestSender } from '../rest/rest-call.js';
import { toRoute } from './rest-route.js';

/** Reads and writes the trace headers of W3C Trace Context. */
export const propagator = new W3CTraceContextPropagator();

/** Span attributes with the address of the Study API. */
export interface ServerAttributes {
  readonly 'server.address': string;
  readonly 'server.port': number;
}

/** Returns the headers that tell the called server that the span of `context` is its parent. */
export function toTraceHeaders(context: Context): Record<string, string> {
  const headers = {};
  propagator.inject(context, headers, defaultTextMapSetter);
  return headers;
}

/**
 * Sends a call within a new child span of `parent`, and sends the span's trace context to the Study API. The span
 * contains neither the id in the path nor any error message.
 */
export async function sendTraced(
  rest: RestSender,
  call: RestCall,
  tracer: Tracer,
  parent: Context,
  server: ServerAttributes,
): Promise<JsonObject> {
  const span = tracer.startSpan(toRoute(call), { kind: SpanKind.CLIENT }, parent);
  // Not given to `startSpan`, which would check and copy them twice.
  span.setAttributes({
    'http.request.method': call.method,
    'url.template': call.template,
    ...server,
  });
  let attempts = 0;
  let status: number | undefined;
  const onAttempt = (attempt: RestAttempt): void => {
    attempts += 1;
    ({ status } = attempt);
    call.onAttempt?.(attempt);
  };
  try {
    const traceContext = toTraceHeaders(trace.setSpan(parent, span));
    return await rest.send({ ...call, traceContext, onAttempt });
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', toErrorType(error));
    if (error instanceof RestError) span.setAttribute('study_gateway.outcome', error.outcome);
    throw error;
  } finally {
    span.setAttribute('study_gateway.attempts', attempts);
    if (attempts > 1) span.setAttribute('http.request.resend_count', attempts - 1);
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    span.end();
  }
}

/**
 * Returns the span's `error.type` by OpenTelemetry's conventions: the status if the Study API answered with an error
 * status, the class name of any other RestError, or `other`.
 */
function toErrorType(error: unknown): string {
  if (!(error instanceof RestError)) return 'other';
  return error.name === 'RestStatusError' ? String(error.status) : error.name;
}
