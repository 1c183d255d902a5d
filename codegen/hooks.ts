import { Kind, OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql';

/** Import path of the documents, relative to the generated file. */
const OPERATIONS = '../generated/operations.js';
/** Import path of the types for clients that throw on errors, relative to the generated file. */
const STRICT_OPERATIONS = '../generated/strict-operations.js';

/**
 * Writes `client/react/hooks.ts`, one hook for each operation. The published plugin `typescript-react-apollo` does not
 * fit: the types it names are deprecated or gone in Apollo Client 4. Each hook sets the error policy `none` itself: an
 * application's default of `all` would make the strict types wrong.
 */
export function plugin(
  _schema: unknown,
  documents: readonly { document?: DocumentNode }[],
): string {
  const operations = documents
    .flatMap(({ document }) => document?.definitions ?? [])
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const names = operations.map(toNames);
  return [
    `import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { skipToken, useMutation, useQuery } from '@apollo/client/react';`,
    toImport(
      'import',
      names.map(([document]) => document),
      OPERATIONS,
    ),
    toImport(
      'import type',
      names.flatMap(([, ...types]) => types),
      STRICT_OPERATIONS,
    ),
    `import type {
  StrictMutationOptions,
  StrictMutationTuple,
  StrictQueryOptions,
  StrictQueryResult,
} from './strict-types.js';`,
    `export type * from '${STRICT_OPERATIONS}';`,
    ...operations.map((operation) =>
      operation.operation === OperationTypeNode.QUERY
        ? toQueryHook(operation)
        : toMutationHook(operation),
    ),
  ].join('\n\n');
}

function toImport(keyword: string, names: readonly string[], path: string): string {
  return `${keyword} {\n${names.map((name) => `  ${name},\n`).join('')}} from '${path}';`;
}

/** Names of the document, the result and the variables, as in `client/generated/`. */
function toNames({ name, operation }: OperationDefinitionNode) {
  if (!name)
    throw new Error('Name every operation in client/*.graphql: hooks take their names from there.');
  const type = name.value + (operation === OperationTypeNode.QUERY ? 'Query' : 'Mutation');
  return [`${name.value}Document`, type, `${type}Variables`] as const;
}

function toQueryHook(operation: OperationDefinitionNode): string {
  const [document, result, variables] = toNames(operation);
  return `/**
 * Calls \`useQuery\` with \`${document}\`, strict types and the error policy \`none\`. Pass \`skipToken\` instead of the options
 * to skip the query. To show partial data, which has other types, call \`useQuery(${document}, …)\` directly.
 */
export function use${result}(
  options: StrictQueryOptions<${result}, ${variables}>,
): StrictQueryResult<${result}, ${variables}> {
  return useQuery(
    ${document} as TypedDocumentNode<${result}, ${variables}>,
    options === skipToken ? skipToken : { ...options, errorPolicy: 'none' },
  );
}`;
}

function toMutationHook(operation: OperationDefinitionNode): string {
  const [document, result, variables] = toNames(operation);
  return `/**
 * Calls \`useMutation\` with \`${document}\`, strict types and the error policy \`none\`. Pass the variables to the returned
 * function.
 */
export function use${result}(
  options?: StrictMutationOptions<${result}, ${variables}>,
): StrictMutationTuple<${result}, ${variables}> {
  return useMutation<${result}, ${variables}>(
    ${document} as TypedDocumentNode<${result}, ${variables}>,
    { ...options, errorPolicy: 'none' },
  );
}`;
}
