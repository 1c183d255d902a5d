import { createHash } from 'node:crypto';
import {
  Kind,
  print,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * A graphql-codegen plugin that writes Apollo's manifest of persisted queries: each operation as `print` gives it,
 * and once more with the `__typename`s that Apollo Client adds.
 */
export function plugin(
  _schema: unknown,
  documents: readonly { document?: DocumentNode }[],
): string {
  const definitions = documents.flatMap(({ document }) => document?.definitions ?? []);
  const fragments = new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const operations = definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .map((operation) => toDocument(operation, fragments))
    .flatMap((document) => [document, addTypenames(document)])
    .map(toEntry);
  const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The operation, and behind it the fragments that it spreads, as the plugin typed-document-node has them. */
function toDocument(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): DocumentNode {
  const used = new Set<FragmentDefinitionNode>();
  const collect = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (!fragment || used.has(fragment)) return;
        used.add(fragment);
        collect(fragment);
      },
    });
  };
  collect(operation);
  return { kind: Kind.DOCUMENT, definitions: [operation, ...used] };
}

/** In every selection set but an operation's own, at its end. */
function addTypenames(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet: {
      leave: (set, _key, parent): SelectionSetNode | undefined => {
        if (parent && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION)
          return undefined;
        const name = { kind: Kind.NAME, value: '__typename' } as const;
        return { ...set, selections: [...set.selections, { kind: Kind.FIELD, name }] };
      },
    },
  });
}

function toEntry(document: DocumentNode): object {
  const body = print(document);
  const operation = document.definitions.find(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (!operation?.name) throw new Error('An operation has no name to be listed by.');
  return {
    id: createHash('sha256').update(body).digest('hex'),
    name: operation.name.value,
    type: operation.operation,
    body,
  };
}
