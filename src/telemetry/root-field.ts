import { OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import { findRootFields } from 'planned-execution';

/**
 * Returns the root field of an operation, its name in metrics and spans: `several` for more than one, `other` without one.
 * Only the schema has names: an operation that is not valid is `undefined`, except that validation admits any subscription.
 */
export function toRootField(
  document: DocumentNode | undefined,
  operation: OperationDefinitionNode | undefined,
): string {
  if (!document || !operation || operation.operation === OperationTypeNode.SUBSCRIPTION)
    return 'other';
  const nodes = findRootFields(document, operation);
  const [field = 'other', ...more] = new Set(nodes.map(({ name }) => name.value));
  return more.length > 0 ? 'several' : field;
}
