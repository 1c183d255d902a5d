import { Kind, OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql';

/** Import path of the documents and their types, relative to the generated file. */
const OPERATIONS = '../generated/operations.js';

/**
 * Writes `client/react/hooks.ts`, one hook for each operation. The published plugin `typescript-react-apollo` does not
 * fit: the types it names are deprecated or gone in Apollo Client 4.
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

/** Names of the document, the result and the variables, as in `client/generated/operations.ts`. */
function toNames({ name, operation }: OperationDefinitionNode) {
  if (!name)
    throw new Error('Name every operation in client/*.graphql: hooks take their names from there.');
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
