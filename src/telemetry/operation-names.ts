import type { OperationDefinitionNode } from 'graphql';

/** Maximum number of distinct operation names in labels. Clients choose the names, so this bounds the cardinality. */
const MAX_NAMES = 100;
/** Number of characters after which a name is cut. */
const MAX_LENGTH = 64;

/** Labels of a document without an operation. */
const unknown = { operation_type: 'unknown', operation_name: 'unknown' };

/**
 * Chooses the labels of operations in metrics and traces. The first 100 named operations of which the Study API accepted
 * a call keep their names; later operations become `other`, unnamed operations `anonymous`. Callers without access cannot
 * use up the 100.
 */
export class OperationNames {
  readonly #accepted = new Set<string>();

  /** Returns the labels of an operation. @param isAccepted whether the Study API accepted a call of the operation */
  toLabels(operation: OperationDefinitionNode | undefined, isAccepted: boolean) {
    if (!operation) return unknown;
    const { operation: operation_type, name } = operation;
    if (!name) return { operation_type, operation_name: 'anonymous' };
    const operation_name = name.value.slice(0, MAX_LENGTH);
    // Counts pairs of type and name: otherwise each of the 100 names could appear with every type.
    const kind = `${operation_type} ${operation_name}`;
    if (isAccepted && this.#accepted.size < MAX_NAMES) this.#accepted.add(kind);
    return { operation_type, operation_name: this.#accepted.has(kind) ? operation_name : 'other' };
  }
}
