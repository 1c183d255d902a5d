import {
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** The fragments of a document, by name. */
export function toFragments({
  definitions,
}: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}

/** Counts the different root fields of an operation by response name, through fragments. */
export function countRootFields(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): number {
  const fragments = toFragments(document);
  const names = new Set<string>();
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections)
      if (selection.kind === Kind.FIELD) names.add((selection.alias ?? selection.name).value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const definition = fragments.get(selection.name.value);
        if (definition) collect(definition.selectionSet);
      }
  };
  collect(selectionSet);
  return names.size;
}
