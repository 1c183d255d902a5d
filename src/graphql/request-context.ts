import type { Caller } from '../rest/caller.js';
import type { Field, Operation } from '../rest/operation.js';

/** Part of the GraphQL context that every request has. */
export interface RequestContext {
  readonly requestId: Caller['requestId'];
  /** Start of the operation by `performance.now()`, in ms. */
  readonly startedAt: number;
  readonly caller: Caller;
}

/** Part of the GraphQL context that every operation has. */
export interface OperationContext extends RequestContext {
  /** The operation that makes all REST calls of the GraphQL operation, and their ledger. */
  readonly operation: Operation;
  /** Returns the context for the resolver of a root field. @param field calls of the root field */
  at(field: Field): object;
}
