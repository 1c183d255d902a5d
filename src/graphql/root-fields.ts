import type { DocumentNode, FieldNode, OperationDefinitionNode } from 'graphql';
import { collectFields, toFragments } from 'planned-execution';

/**
 * Returns the first node of each root field of an operation, including root fields in fragments and root fields that a
 * directive skips. Omits `__typename`, which calls no resolver.
 */
export function findRootFields(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly FieldNode[] {
  return [...collectFields([operation], toFragments(document)).values()]
    .flatMap(([node]) => node ?? [])
    .filter(({ name }) => name.value !== '__typename');
}
