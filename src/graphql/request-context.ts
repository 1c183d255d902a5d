import type { RequestContext } from '../auth/caller.js';
import type { Field, Operation } from '../rest/operation.js';

/** Part of the GraphQL context that every operation has. */
export interface OperationContext extends RequestContext {
  /** The operation that makes all REST calls of the GraphQL operation, and their ledger. */
  readonly operation: Operation;
  /** Returns the context for the resolver of a root field. @param field calls of the root field */
  at(field: Field): object;
}
