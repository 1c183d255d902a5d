import type { OperationDefinitionNode } from 'graphql';

/** Maximum number of distinct operation names in labels. Clients choose the names, so this bounds the cardinality. */
const MAX_NAMES = 100;
/** Number of characters after which a name is cut. */
const MAX_LENGTH = 64;

/** Labels of a document without an operation. */
const unknown = { operation_type: 'unknown', operation_name: 'unknown' };

/**
 * Bounds the values of a label that clients choose. The first 100 values with an operation of which the Study API accepted
 * a call are kept; later ones become `other`. Callers without access cannot use up the 100.
 */
export class AcceptedNames {
  readonly #accepted = new Set<string>();

  /**
   * @param key what is counted in place of `name`
   * @param isAccepted whether the Study API accepted a call of the operation
   */
  toLabel(name: string, key: string, isAccepted: boolean): string {
    if (isAccepted && this.#accepted.size < MAX_NAMES) this.#accepted.add(key);
    return this.#accepted.has(key) ? name : 'other';
  }
}

/** Chooses the labels of operations in metrics and traces. Unnamed operations become `anonymous`. */
export class OperationNames {
  readonly #names = new AcceptedNames();

  /** @param areTrusted whether only trusted documents run: their names are known, and need no bound */
  constructor(private readonly areTrusted: boolean) {}

  /** Returns the labels of an operation. @param isAccepted whether the Study API accepted a call of the operation */
  toLabels(operation: OperationDefinitionNode | undefined, isAccepted: boolean) {
    if (!operation) return unknown;
    const { operation: operation_type, name } = operation;
    if (!name) return { operation_type, operation_name: 'anonymous' };
    const operation_name = name.value.slice(0, MAX_LENGTH);
    if (this.areTrusted) return { operation_type, operation_name };
    // Counts pairs of type and name: otherwise each of the 100 names could appear with every type.
    const kind = `${operation_type} ${operation_name}`;
    return {
      operation_type,
      operation_name: this.#names.toLabel(operation_name, kind, isAccepted),
    };
  }
}
