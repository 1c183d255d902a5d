import type { IncomingHttpHeaders } from 'node:http';
import {
  ROOT_CONTEXT,
  TraceFlags,
  createTraceState,
  trace,
  type Context,
  type SpanContext,
} from '@opentelemetry/api';

/** `traceparent` of W3C Trace Context §3.2.2: version, trace id, span id, flags; later versions may append parts. */
const TRACEPARENT =
  /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Reads the trace context from the headers of a request. Returns an empty context if the headers hold no valid one. */
export function readTraceContext({ traceparent, tracestate }: IncomingHttpHeaders): Context {
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  const [, version, traceId, spanId, flags, more] = match ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  if (version === '00' && more !== undefined) return ROOT_CONTEXT;
  const state = Array.isArray(tracestate) ? tracestate.join(',') : tracestate;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  });
}

/** Returns the headers that tell the called server which span is its parent. */
export function toTraceHeaders(span: SpanContext): Record<string, string> {
  const { traceId, spanId, traceFlags } = span;
  const state = span.traceState?.serialize();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
    ...(state && { tracestate: state }),
  };
}
