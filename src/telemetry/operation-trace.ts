import type { OperationDefinitionNode } from 'graphql';
import type { RestSender } from '../rest/rest-client.js';
import type { WorstError } from '../graphql/worst-error.js';

/** How an operation ended. */
export interface OperationEnding {
  /** `undefined` of a document in which none was found. */
  readonly operation: OperationDefinitionNode | undefined;
  /** Whether the Study API accepted a call of the operation. */
  readonly isAccepted: boolean;
  /** Of the HTTP response. */
  readonly status: number;
  readonly error: WorstError | undefined;
}

/** The part of a trace that is one operation's, where tracing is on. */
export interface OperationTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The same client, whose calls become part of the trace. */
  traced(rest: RestSender): RestSender;
  /** Call once. */
  end(ending: OperationEnding): void;
}

/** The slice of an operation's context. */
export interface TraceContext {
  /** Where tracing is on. */
  readonly trace?: OperationTrace | undefined;
}

/** The same client, whose calls become part of the trace where there is one. */
export function traced(rest: RestSender, { trace }: TraceContext): RestSender {
  return trace?.traced(rest) ?? rest;
}
