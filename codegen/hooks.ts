import { Kind, OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql';

/** Import path of the documents and their types, relative to the generated file. */
const OPERATIONS = '../generated/operations.js';

/**
 * Writes `client/react/hooks.ts` with one hook for each operation. The published plugin `typescript-react-apollo` does
 * not fit: its output uses types that Apollo Client 4 deprecates or no longer has.
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

/** Returns the names that the document, result type and variables type have in `client/generated/operations.ts`. */
function toNames({ name, operation }: OperationDefinitionNode) {
  if (!name)
    throw new Error('Name every operation in client/*.graphql: hooks take their names from there.');
  const type = name.value + (operation === OperationTypeNode.QUERY ? 'Query' : 'Mutation');
  return [`${name.value}Document`, type, `${type}Variables`] as const;
}

function toQueryHook(operation: OperationDefinitionNode): string {
  const [document, result, variables] = toNames(operation);
  return `/**
 * Calls \`useQuery\` with \`${document}\`. Pass \`skipToken\` instead of the options to skip the query. For
 * \`returnPartialData\`, which changes the types, call \`useQuery(${document}, …)\` directly.
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
  return `/** Calls \`useMutation\` with \`${document}\`. Pass the variables to the returned function. */
export function use${result}(
  options?: Omit<useMutation.Options<${result}, ${variables}>, 'variables'>,
): useMutation.ResultTuple<${result}, ${variables}> {
  return useMutation<${result}, ${variables}>(${document}, options);
}`;
}
