import { createHash } from 'node:crypto';
import { addTypenameToDocument } from '@apollo/client/utilities';
import { stringifyDocument } from '@urql/core';
import { concatAST, Kind, print, separateOperations } from 'graphql';
import type { DefinitionNode, DocumentNode } from 'graphql';

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
  const whole = concatAST(documents.flatMap(({ document }) => document ?? []));
  const operations = Object.values(separateOperations(whole))
    .map(fragmentsLast)
    .flatMap((document) => [document, addTypenameToDocument(document)])
    .flatMap((document) => printers.map((printer) => toEntry(document, printer(document))));
  const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Returns the order of the plugin typed-document-node. */
function fragmentsLast({ kind, definitions }: DocumentNode): DocumentNode {
  const isFragment = (node: DefinitionNode) => Number(node.kind === Kind.FRAGMENT_DEFINITION);
  return { kind, definitions: definitions.toSorted((a, b) => isFragment(a) - isFragment(b)) };
}

function toEntry({ definitions: [operation] }: DocumentNode, body: string): object {
  if (operation?.kind !== Kind.OPERATION_DEFINITION || !operation.name)
    throw new Error('Name every operation in packages/client/src/*.graphql.');
  return {
    id: createHash('sha256').update(body).digest('hex'),
    name: operation.name.value,
    type: operation.operation,
    body,
  };
}
