import type { OperationDefinitionNode } from 'graphql';

/** Maximum number of distinct operation names in labels. Clients choose the names, so this bounds the cardinality. */
const MAX_NAMES = 100;
/** Number of characters after which a name is cut. */
const MAX_LENGTH = 64;

/** Labels of a document without an operation. */
const unknown = { operation_type: 'unknown', operation_name: 'unknown' };

/**
 * Chooses labels that clients name, in metrics and traces. The first 100 names with an operation of which the Study API
 * accepted a call are kept; later ones become `other`. Callers without access cannot use up the 100.
 */
export class AcceptedNames {
  readonly #accepted = new Set<string>();

  /** @param areTrusted whether only trusted documents run: the names of their operations need no bound */
  constructor(private readonly areTrusted = false) {}

  /** @param isAccepted whether the Study API accepted a call of the operation */
  toLabel(name: string, isAccepted: boolean, key = name): string {
    if (isAccepted && this.#accepted.size < MAX_NAMES) this.#accepted.add(key);
    return this.areTrusted || this.#accepted.has(key) ? name : 'other';
  }

  /** Returns the labels of an operation. @param isAccepted whether the Study API accepted a call of the operation */
  toLabels(operation: OperationDefinitionNode | undefined, isAccepted: boolean) {
    if (!operation) return unknown;
    const { operation: operation_type, name } = operation;
    if (!name) return { operation_type, operation_name: 'anonymous' };
    const cut = name.value.slice(0, MAX_LENGTH);
    // Counts pairs of type and name: otherwise each of the 100 names could appear with every type.
    const operation_name = this.toLabel(cut, isAccepted, `${operation_type} ${cut}`);
    return { operation_type, operation_name };
  }
}
