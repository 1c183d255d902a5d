import type { OperationDefinitionNode } from 'graphql';
import { BoundedSet } from '../bounded-set.js';

/** Most operations with a name of their own in labels; clients may send any number of names. */
const MAX_NAMES = 100;
const MAX_LENGTH = 64;

/** The labels of an operation. */
export interface OperationLabels {
  readonly operation_type: string;
  readonly operation_name: string;
}

/** The labels of a document without an operation. */
const unknown: OperationLabels = { operation_type: 'unknown', operation_name: 'unknown' };

/**
 * Names the first 100 operations of which the Study API accepted a call. All other operations are `other`, and operations
 * without a name `anonymous`. Strangers without an accepted call cannot use up the 100 names.
 */
export class OperationNames {
  readonly #accepted = new BoundedSet(MAX_NAMES);

  /** @param isAccepted true if the Study API accepted a call of this operation */
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
