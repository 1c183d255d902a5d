import { Kind, parse, print, type DocumentNode, type SelectionSetNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Different selection sets that are remembered. */
const MAX_SELECTION_SETS = 1_000;

/**
 * Makes documents small to keep: without locations, which are most of one, and with one selection set for all that ask
 * for the same. Clients that write values into their documents, in place of variables, send many that differ in little else.
 */
export class CompactDocuments {
  readonly #selectionSets = new LRUCache<string, SelectionSetNode>({ max: MAX_SELECTION_SETS });

  /** @param document has been parsed, and is sound */
  compact(document: DocumentNode): DocumentNode {
    const source = document.loc?.source.body ?? print(document);
    const { definitions, ...rest } = parse(source, { noLocation: true });
    return {
      ...rest,
      definitions: definitions.map((definition) =>
        definition.kind === Kind.OPERATION_DEFINITION
          ? { ...definition, selectionSet: this.#share(definition.selectionSet) }
          : definition,
      ),
    };
  }

  /** Shares what is selected of each root field. */
  #share(roots: SelectionSetNode): SelectionSetNode {
    return {
      ...roots,
      selections: roots.selections.map((root) =>
        root.kind === Kind.FIELD && root.selectionSet
          ? { ...root, selectionSet: this.#find(root.selectionSet) }
          : root,
      ),
    };
  }

  #find(selectionSet: SelectionSetNode): SelectionSetNode {
    const text = print(selectionSet);
    const known = this.#selectionSets.get(text);
    if (known) return known;
    this.#selectionSets.set(text, selectionSet);
    return selectionSet;
  }
}
