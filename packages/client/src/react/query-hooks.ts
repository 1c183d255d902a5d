import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { OperationVariables } from '@apollo/client';
import {
  skipToken,
  useLazyQuery,
  useQuery,
  useSuspenseQuery,
  type SkipToken,
} from '@apollo/client/react';
import { requireApollo4 } from './apollo-4.js';
import type { LazyQueryHook, Policy, QueryHook, SuspenseQueryHook } from './hook-types.js';

// oxlint-disable typescript/no-unsafe-type-assertion -- TypeScript cannot resolve Apollo's types before those of the operation are known

/** Makes a hook that calls `useQuery`. Pass `skipToken` instead of the options to skip the query. */
export function createQueryHook<
  Data,
  Variables extends OperationVariables,
  ErrorPolicy extends Policy,
>(
  document: TypedDocumentNode<Data, Variables>,
  errorPolicy: ErrorPolicy,
): QueryHook<Data, Variables, ErrorPolicy> {
  const useOperation = (options?: object | SkipToken) =>
    requireApollo4(
      useQuery(
        document,
        options === skipToken ? skipToken : ({ ...options, errorPolicy } as never),
      ),
    );
  return useOperation as unknown as QueryHook<Data, Variables, ErrorPolicy>;
}

/** Makes a hook that calls `useLazyQuery`. The returned function takes the variables. */
export function createLazyQueryHook<
  Data,
  Variables extends OperationVariables,
  ErrorPolicy extends Policy,
>(
  document: TypedDocumentNode<Data, Variables>,
  errorPolicy: ErrorPolicy,
): LazyQueryHook<Data, Variables, ErrorPolicy> {
  const useOperation = (options?: object) => {
    const tuple = useLazyQuery(document, { ...options, errorPolicy });
    requireApollo4(tuple[1]);
    return tuple;
  };
  return useOperation;
}

/** Makes a hook that calls `useSuspenseQuery`: it suspends until an answer is there. */
export function createSuspenseQueryHook<
  Data,
  Variables extends OperationVariables,
  ErrorPolicy extends Policy,
>(
  document: TypedDocumentNode<Data, Variables>,
  errorPolicy: ErrorPolicy,
): SuspenseQueryHook<Data, Variables, ErrorPolicy> {
  const useOperation = (options?: object) =>
    requireApollo4(useSuspenseQuery(document, { ...options, errorPolicy } as never));
  return useOperation as unknown as SuspenseQueryHook<Data, Variables, ErrorPolicy>;
}
