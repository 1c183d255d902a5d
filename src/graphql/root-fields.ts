import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** Returns the fragments of a document by name. */
function toFragments({ definitions }: DocumentNode) {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/**
 * Returns the root fields of an operation by response name, including root fields in fragments and root fields that a
 * directive skips. Omits `__typename`, which calls no resolver.
 */
export function findRootFields(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): ReadonlyMap<string, FieldNode> {
  const fragments = toFragments(document);
  const fields = new Map<string, FieldNode>();
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections)
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value !== '__typename')
          fields.set((selection.alias ?? selection.name).value, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const definition = fragments.get(selection.name.value);
        if (definition) collect(definition.selectionSet);
      }
  };
  collect(selectionSet);
  return fields;
}
