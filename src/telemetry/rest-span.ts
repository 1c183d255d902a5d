import { SpanKind, SpanStatusCode, type Context, type Tracer } from '@opentelemetry/api';
import { RestError } from '../rest/errors.js';
import type { RestAttempt, RestCall } from '../rest/rest-call.js';
import type { RestClient, RestSender } from '../rest/rest-client.js';
import { toRoute } from './rest-route.js';
import { toTraceHeaders } from './trace-context.js';

/** Where the Study API is. */
export interface ServerAttributes {
  readonly 'server.address': string;
  readonly 'server.port': number;
}

/**
 * Sends a call as a span of its own below `parent`, whose context the Study API is told. Neither the id in the path
 * nor anything that an error says becomes part of it.
 */
export async function sendTraced(
  rest: RestSender,
  call: RestCall,
  tracer: Tracer,
  parent: Context,
  server: ServerAttributes,
): ReturnType<RestClient['send']> {
  const attributes = {
    'http.request.method': call.method,
    'url.template': call.template,
    ...server,
  };
  const span = tracer.startSpan(toRoute(call), { kind: SpanKind.CLIENT, attributes }, parent);
  let attempts = 0;
  let status: number | undefined;
  const onAttempt = (attempt: RestAttempt): void => {
    attempts += 1;
    ({ status } = attempt);
    call.onAttempt?.(attempt);
  };
  try {
    const traceContext = toTraceHeaders(span.spanContext());
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

/** The status where that is what failed, as the conventions have it, else the kind of the error. */
function toErrorType(error: unknown): string {
  if (!(error instanceof RestError)) return 'other';
  return error.name === 'RestStatusError' ? String(error.status) : error.name;
}
