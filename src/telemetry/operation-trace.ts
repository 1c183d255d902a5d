import type { OperationDefinitionNode } from 'graphql';
import type { WorstError } from '../errors/worst-error.js';
import type { Wrap } from '../rest/operation.js';
import type { JsonObject, RestCall } from '../rest/rest-call.js';

/** How an operation ended. */
export interface OperationEnding {
  /** The operation of the document; `undefined` if the document has none. */
  readonly operation: OperationDefinitionNode | undefined;
  /** True if the Study API accepted a call of the operation. */
  readonly isAccepted: boolean;
  /** Status of the HTTP response. */
  readonly status: number;
  /** The most serious error of the response; `undefined` for a response without errors. */
  readonly error: WorstError | undefined;
}

/** The part of a trace that belongs to one operation. */
export interface OperationTrace {
  /** Trace id of 32 hexadecimal digits. */
  readonly traceId: string;
  /** Sends a REST call, by `next`, as a part of the trace. */
  send(call: RestCall, next: (call: RestCall) => Promise<JsonObject>): Promise<JsonObject>;
  /** Ends the operation's span. Call once. */
  end(ending: OperationEnding): void;
}

/** Tracing's slice of the context of an operation. */
export interface TraceContext {
  /** Trace of the operation; `undefined` when tracing is off. */
  readonly trace?: OperationTrace | undefined;
}

/** Makes each call a part of its operation's trace. */
export const traced: Wrap<TraceContext> = (next) => (call, operation) => {
  const { trace } = operation.about;
  return trace ? trace.send(call, (begun) => next(begun, operation)) : next(call, operation);
};
