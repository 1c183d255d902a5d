import { Kind, OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql';

/** Where the documents and their types are, seen from the file that is written. */
const OPERATIONS = '../generated/operations.js';

/**
 * A graphql-codegen plugin that writes a hook for each operation. `typescript-react-apollo` writes what Apollo
 * Client 3 exported: with 4, its types are deprecated or gone.
 */
export function plugin(
  _schema: unknown,
  documents: readonly { document?: DocumentNode }[],
): string {
  const operations = documents
    .flatMap(({ document }) => document?.definitions ?? [])
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const names = operations.flatMap((operation) => {
    const [document, ...types] = toNames(operation);
    return [document, ...types.map((type) => `type ${type}`)];
  });
  return [
    `import { useMutation, useQuery, type SkipToken } from '@apollo/client/react';`,
    `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${OPERATIONS}';`,
    ...operations.map((operation) =>
      operation.operation === OperationTypeNode.QUERY
        ? toQueryHook(operation)
        : toMutationHook(operation),
    ),
  ].join('\n\n');
}

/** As the plugins typed-document-node and typescript-operations name them. */
function toNames({ name, operation }: OperationDefinitionNode) {
  if (!name) throw new Error('An operation has no name to call its hook after.');
  const type = name.value + (operation === OperationTypeNode.QUERY ? 'Query' : 'Mutation');
  return [`${name.value}Document`, type, `${type}Variables`] as const;
}

function toQueryHook(operation: OperationDefinitionNode): string {
  const [document, result, variables] = toNames(operation);
  return `/**
 * \`useQuery\` with \`${document}\`; \`skipToken\` in place of the options leaves it out. What reads partial data from the
 * cache (\`returnPartialData\`) has other types: call \`useQuery(${document}, …)\` for it.
 */
export function use${result}(
  options: SkipToken | (useQuery.Options<${result}, ${variables}> & { returnPartialData?: false }),
): useQuery.Result<
  ${result},
  ${variables},
  'empty' | 'complete' | 'streaming',
  Partial<${variables}>
> {
  return useQuery(${document}, options);
}`;
}

function toMutationHook(operation: OperationDefinitionNode): string {
  const [document, result, variables] = toNames(operation);
  return `/** \`useMutation\` with \`${document}\`. Its variables are given when the function that it returns is called. */
export function use${result}(
  options?: Omit<useMutation.Options<${result}, ${variables}>, 'variables'>,
): useMutation.ResultTuple<${result}, ${variables}> {
  return useMutation<${result}, ${variables}>(${document}, options);
}`;
}
