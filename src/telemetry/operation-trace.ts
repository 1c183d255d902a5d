import type { OperationDefinitionNode } from 'graphql';
import type { RestSender } from '../rest/rest-call.js';
import type { WorstError } from '../errors/worst-error.js';

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
  /** Returns a REST client whose calls belong to the trace. */
  traced(rest: RestSender): RestSender;
  /** Ends the operation's span. Call once. */
  end(ending: OperationEnding): void;
}

/** Tracing's slice of the context of an operation. */
export interface TraceContext {
  /** Trace of the operation; `undefined` when tracing is off. */
  readonly trace?: OperationTrace | undefined;
}

/** Returns a REST client whose calls belong to the operation's trace; `rest` itself when tracing is off. */
export function traced(rest: RestSender, { trace }: TraceContext): RestSender {
  return trace?.traced(rest) ?? rest;
}
