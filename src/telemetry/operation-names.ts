import type { OperationDefinitionNode } from 'graphql';

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

/** The first names are kept, all later ones are `other`; operations without one are `anonymous`. */
export class OperationNames {
  readonly #seen = new Set<string>();

  toLabels(operation: OperationDefinitionNode | undefined): OperationLabels {
    if (!operation) return unknown;
    const { operation: operation_type, name } = operation;
    if (!name) return { operation_type, operation_name: 'anonymous' };
    const operation_name = name.value.slice(0, MAX_LENGTH);
    // Both together: else every name could come with every type.
    const kind = `${operation_type} ${operation_name}`;
    if (!this.#seen.has(kind)) {
      if (this.#seen.size >= MAX_NAMES) return { operation_type, operation_name: 'other' };
      this.#seen.add(kind);
    }
    return { operation_type, operation_name };
  }
}
