import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = GraphQLResolveInfo['fragments'];

/** Returns the fragments of a document by name. */
export function toFragments({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/**
 * Collects the fields below some nodes, grouped by response name. Visits each fragment once, even if it is spread several
 * times, so the cost is linear in the length of the document.
 *
 * @param isIncluded decides on each selection, and on the definition of each fragment. Default: all are included
 */
export function collectFields(
  nodes: readonly { readonly selectionSet?: SelectionSetNode | undefined }[],
  fragments: Fragments,
  isIncluded: (node: SelectionNode | FragmentDefinitionNode) => boolean = () => true,
): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const collect = (selectionSet: SelectionSetNode | undefined): void => {
    for (const selection of selectionSet?.selections ?? []) {
      if (!isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const nodes = fields.get(key);
        if (nodes) nodes.push(selection);
        else fields.set(key, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = fragments[selection.name.value];
        if (fragment && isIncluded(fragment)) collect(fragment.selectionSet);
      }
    }
  };
  for (const { selectionSet } of nodes) collect(selectionSet);
  return fields;
}

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
