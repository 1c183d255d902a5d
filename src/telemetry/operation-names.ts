import type { OperationDefinitionNode } from 'graphql';
import { BoundedSet } from '../bounded-set.js';

/** Operations that are told apart by name; clients may send any number of names. */
const MAX_NAMES = 100;
const MAX_LENGTH = 64;

/** By which an operation is told apart. */
export interface OperationLabels {
  readonly operation_type: string;
  readonly operation_name: string;
}

/** Of a document in which no operation was found. */
const unknown: OperationLabels = { operation_type: 'unknown', operation_name: 'unknown' };

/**
 * Names the first 100 operations of which the Study API accepted a call; all others are `other`, those without a name
 * `anonymous`. A stranger who sends many names, and has no call accepted, takes no client's place.
 */
export class OperationNames {
  readonly #accepted = new BoundedSet(MAX_NAMES);

  /** @param isAccepted whether the Study API accepted a call of this operation */
  toLabels(operation: OperationDefinitionNode | undefined, isAccepted: boolean): OperationLabels {
    if (!operation) return unknown;
    const { operation: operation_type, name } = operation;
    if (!name) return { operation_type, operation_name: 'anonymous' };
    const operation_name = name.value.slice(0, MAX_LENGTH);
    // Type and name together: otherwise every name could come with every type.
    const kind = `${operation_type} ${operation_name}`;
    if (isAccepted) this.#accepted.add(kind);
    return { operation_type, operation_name: this.#accepted.has(kind) ? operation_name : 'other' };
  }
}
