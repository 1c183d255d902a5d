import { Kind, OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql';

/** Import path of the documents, relative to the generated file. */
const OPERATIONS = '../generated/operations.js';
/** Import path of the types for clients that throw on errors, relative to the generated file. */
const STRICT_OPERATIONS = '../generated/strict-operations.js';

/**
 * Writes `packages/client/src/react/hooks.ts`: a hook for each mutation, and three for each query. The published plugin `typescript-react-apollo` does not
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
import { skipToken, useLazyQuery, useQuery, useSuspenseQuery } from '@apollo/client/react';`,
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
    `import { useStrictMutation } from './strict-mutation.js';
import type * as Strict from './strict-types.js';`,
    `export type * from '${STRICT_OPERATIONS}';`,
    ...operations.flatMap((operation) =>
      operation.operation === OperationTypeNode.QUERY
        ? [toQueryHook(operation), toLazyQueryHook(operation), toSuspenseQueryHook(operation)]
        : [toMutationHook(operation)],
    ),
  ].join('\n\n');
}

function toImport(keyword: string, names: readonly string[], path: string): string {
  return `${keyword} {\n${names.map((name) => `  ${name},\n`).join('')}} from '${path}';`;
}

/** Names of the document, the result and the variables, as in `packages/client/src/generated/`. */
function toNames({ name, operation }: OperationDefinitionNode) {
  if (!name)
    throw new Error(
      'Name every operation in packages/client/src/*.graphql: hooks take their names from there.',
    );
  const type = name.value + (operation === OperationTypeNode.QUERY ? 'Query' : 'Mutation');
  return [`${name.value}Document`, type, `${type}Variables`] as const;
}

/** How the hooks of a query declare `options`: optional when the operation needs no variable. */
function toParameter({ variableDefinitions = [] }: OperationDefinitionNode, type: string): string {
  const isNeeded = variableDefinitions.some(
    (variable) => variable.type.kind === Kind.NON_NULL_TYPE && !variable.defaultValue,
  );
  return `options: ${type}${isNeeded ? '' : ' = {}'}`;
}

function toQueryHook(operation: OperationDefinitionNode): string {
  const [document, result, variables] = toNames(operation);
  return `/**
 * Calls \`useQuery\` with \`${document}\`, strict types and the error policy \`none\`. Pass \`skipToken\` instead of the options
 * to skip the query. To show partial data, which has other types, call \`useQuery(${document}, …)\` directly.
 */
export function use${result}(
  ${toParameter(operation, `Strict.QueryOptions<${result}, ${variables}>`)},
): Strict.QueryResult<${result}, ${variables}> {
  return useQuery(
    ${document} as TypedDocumentNode<${result}, ${variables}>,
    options === skipToken ? skipToken : { ...options, errorPolicy: 'none' },
  );
}`;
}

function toLazyQueryHook(operation: OperationDefinitionNode): string {
  const [document, result, variables] = toNames(operation);
  return `/**
 * Calls \`useLazyQuery\` with \`${document}\`, strict types and the error policy \`none\`. Pass the variables to the
 * returned function.
 */
export function use${toVariant(operation, 'Lazy')}(
  options: Strict.LazyQueryOptions<${result}, ${variables}> = {},
): Strict.LazyQueryTuple<${result}, ${variables}> {
  return useLazyQuery(${document} as TypedDocumentNode<${result}, ${variables}>, {
    ...options,
    errorPolicy: 'none',
  });
}`;
}

function toSuspenseQueryHook(operation: OperationDefinitionNode): string {
  const [document, result, variables] = toNames(operation);
  return `/**
 * Calls \`useSuspenseQuery\` with \`${document}\`, strict types and the error policy \`none\`: suspends until the data is
 * there, and throws an error to the nearest error boundary.
 */
export function use${toVariant(operation, 'Suspense')}(
  ${toParameter(operation, `Strict.SuspenseQueryOptions<${variables}>`)},
): Strict.SuspenseQueryResult<${result}, ${variables}> {
  return useSuspenseQuery(${document} as TypedDocumentNode<${result}, ${variables}>, {
    ...options,
    errorPolicy: 'none',
  });
}`;
}

/** `StudyLazyQuery` for the operation `Study` and the variant `Lazy`. */
function toVariant({ name }: OperationDefinitionNode, variant: string): string {
  return `${name?.value}${variant}Query`;
}

function toMutationHook(operation: OperationDefinitionNode): string {
  const [document, result, variables] = toNames(operation);
  return `/**
 * Calls \`useMutation\` with \`${document}\`, strict types and the error policy \`none\`. Pass variables in the options, to the
 * returned function, or some to each. \`idempotent: true\` sends idempotency keys.
 */
export function use${result}<Configured extends Partial<${variables}> = object>(
  options?: Strict.MutationOptions<${result}, ${variables}, Configured>,
): Strict.MutationTuple<${result}, ${variables}, Configured> {
  return useStrictMutation(
    ${document} as TypedDocumentNode<${result}, ${variables}>,
    options,
  );
}`;
}
