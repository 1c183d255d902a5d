import { Kind, parse, print, type DocumentNode, type SelectionSetNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Different selection sets that are remembered, and their characters in all: a field has a line of its own. */
const MAX_SELECTION_SETS = 1_000;
const MAX_CHARACTERS = 500_000;

/**
 * Makes documents small to keep: without locations, which are most of one, and with one selection set for all that ask
 * for the same. Clients that write values into their documents, in place of variables, send many that differ in little else.
 */
export class CompactDocuments {
  readonly #selectionSets = new LRUCache<string, SelectionSetNode>({
    max: MAX_SELECTION_SETS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
  });

  /** @param document has been parsed, and is sound */
  compact(document: DocumentNode): DocumentNode {
    const source = document.loc?.source.body ?? print(document);
    const compact = parse(source, { noLocation: true });
    for (const definition of compact.definitions)
      if (definition.kind === Kind.OPERATION_DEFINITION)
        for (const root of definition.selectionSet.selections)
          // What is selected of a root field; nobody else has seen this document yet.
          if (root.kind === Kind.FIELD && root.selectionSet)
            Object.assign(root, { selectionSet: this.#find(root.selectionSet) });
    return compact;
  }

  #find(selectionSet: SelectionSetNode): SelectionSetNode {
    const text = print(selectionSet);
    const known = this.#selectionSets.get(text);
    if (known) return known;
    this.#selectionSets.set(text, selectionSet);
    return selectionSet;
  }
}
