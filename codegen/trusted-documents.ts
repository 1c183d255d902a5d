import { createHash } from 'node:crypto';
import { stringifyDocument } from '@urql/core';
import {
  Kind,
  print,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** The texts that clients send of one document: the gateway compares texts, and never prints a document itself. */
const printers = [
  // graphql-js 16 and 17, as in Apollo Client and graphql-request.
  print,
  // graphql-js 15 ends the text with a line break.
  (document: DocumentNode) => `${print(document)}\n`,
  // urql has an implementation of GraphQL of its own.
  stringifyDocument,
];

/**
 * Writes `schema/trusted-documents.json`, a persisted query manifest in Apollo's format. The manifest lists each operation
 * as each of the `printers` formats it, without and with the `__typename` fields that caches add.
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
    .flatMap((document) => printers.map((printer) => toEntry(document, printer(document))));
  const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Returns the operation followed by its fragments, in the same order as the plugin typed-document-node. */
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

/** Appends `__typename` to every selection set except the operation's root. */
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

function toEntry(document: DocumentNode, body: string): object {
  const operation = document.definitions.find(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (!operation?.name)
    throw new Error(
      'Name every operation in packages/client/src/*.graphql: the manifest lists operations by name.',
    );
  return {
    id: createHash('sha256').update(body).digest('hex'),
    name: operation.name.value,
    type: operation.operation,
    body,
  };
}
