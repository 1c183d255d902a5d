import type { OperationDefinitionNode } from 'graphql';
import type { RestSender } from '../rest/rest-client.js';
import type { WorstError } from '../graphql/worst-error.js';

/** How an operation ended. */
export interface OperationEnding {
  /** `undefined` for a document without an operation. */
  readonly operation: OperationDefinitionNode | undefined;
  /** True if the Study API accepted a call of the operation. */
  readonly isAccepted: boolean;
  /** Status of the HTTP response. */
  readonly status: number;
  readonly error: WorstError | undefined;
}

/** The part of a trace that belongs to one operation. */
export interface OperationTrace {
  /** Trace id of 32 hexadecimal digits. */
  readonly traceId: string;
  /** Returns a client whose calls become spans of the trace. */
  traced(rest: RestSender): RestSender;
  /** Call once. */
  end(ending: OperationEnding): void;
}

/** The slice of an operation's context. */
export interface TraceContext {
  /** Where tracing is on. */
  readonly trace?: OperationTrace | undefined;
}

/** Returns a client whose calls become spans where there is a trace. */
export function traced(rest: RestSender, { trace }: TraceContext): RestSender {
  return trace?.traced(rest) ?? rest;
}
