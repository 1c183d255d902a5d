import { Kind, OperationTypeNode, type DocumentNode } from 'graphql';

/** The states of `data` without `returnPartialData`, whose types are others. */
const STATES = "'complete' | 'streaming' | 'empty'";

/** Writes `packages/client/src/generated/hooks.ts`: a hook of one line for each operation, for Apollo Client 4. */
export function plugin(
  _schema: unknown,
  documents: readonly { readonly document?: DocumentNode }[],
): string {
  const operations = documents
    .flatMap(({ document }) => document?.definitions ?? [])
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .map((definition) => Object.assign({}, definition, { noun: definition.name?.value ?? '' }))
    // `useStudyProgress` sends this.
    .filter(({ noun }) => noun !== 'StudiesProgress');
  const hooks = operations.map(({ noun, operation, variableDefinitions = [] }) => {
    const isQuery = operation === OperationTypeNode.QUERY;
    const hook = isQuery ? 'useQuery' : 'useMutation';
    const name = `${noun}${isQuery ? 'Query' : 'Mutation'}`;
    const types = `types.${name}, types.${name}Variables`;
    const isRequired =
      isQuery && variableDefinitions.some(({ type }) => type.kind === Kind.NON_NULL_TYPE);
    const options = `${hook}.Options<${types}>${isQuery ? ' | SkipToken' : ''}`;
    const result = isQuery
      ? `useQuery.Result<${types}, ${STATES}>`
      : `${hook}.ResultTuple<${types}>`;
    // TypeScript cannot resolve Apollo's overloads for `options` that are not known yet.
    return `export const use${name} = (options${isRequired ? '' : '?'}: ${options}): ${result} => ${hook}(${noun}Document, options as never) as never;`;
  });
  return `'use client';

import { useMutation, useQuery, type SkipToken } from '@apollo/client/react';
import { ${operations.map(({ noun }) => `${noun}Document`).join(', ')} } from './operations.js';
import type * as types from './operations.js';

${hooks.join('\n')}
`;
}
