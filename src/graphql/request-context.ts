import type { Operation, Step } from 'rest-outcome';
import type { RequestContext } from '../auth/caller.js';
import type { AnswerRoom } from './answer-room.js';

/** Part of the GraphQL context that every operation has. */
export interface OperationContext extends RequestContext {
  /** The operation that makes all REST calls of the GraphQL operation, and their ledger. */
  readonly operation: Operation;
  /** Returns the context for the resolver of a root field. @param field calls of the root field */
  at(field: Step): object;
  /** Memory reserved for the long answers of the operation and its response. */
  readonly room: AnswerRoom;
}
