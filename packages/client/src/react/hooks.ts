import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { skipToken, useLazyQuery, useQuery, useSuspenseQuery } from '@apollo/client/react';

import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
  StudiesDocument,
} from '../generated/operations.js';

import type {
  CreateStudyMutation,
  CreateStudyMutationVariables,
  EditStudyMutation,
  EditStudyMutationVariables,
  StudyQuery,
  StudyQueryVariables,
  StudiesQuery,
  StudiesQueryVariables,
} from '../generated/strict-operations.js';

import { useStrictMutation } from './strict-mutation.js';
import type * as Strict from './strict-types.js';

export type * from '../generated/strict-operations.js';

/**
 * Calls `useMutation` with `CreateStudyDocument`, strict types and the error policy `none`. Pass variables in the options, to the
 * returned function, or some to each. `idempotent: true` sends idempotency keys.
 */
export function useCreateStudyMutation<Configured extends Partial<CreateStudyMutationVariables> = object>(
  options?: Strict.MutationOptions<CreateStudyMutation, CreateStudyMutationVariables, Configured>,
): Strict.MutationTuple<CreateStudyMutation, CreateStudyMutationVariables, Configured> {
  return useStrictMutation(
    CreateStudyDocument as TypedDocumentNode<CreateStudyMutation, CreateStudyMutationVariables>,
    options,
  );
}

/**
 * Calls `useMutation` with `EditStudyDocument`, strict types and the error policy `none`. Pass variables in the options, to the
 * returned function, or some to each. `idempotent: true` sends idempotency keys.
 */
export function useEditStudyMutation<Configured extends Partial<EditStudyMutationVariables> = object>(
  options?: Strict.MutationOptions<EditStudyMutation, EditStudyMutationVariables, Configured>,
): Strict.MutationTuple<EditStudyMutation, EditStudyMutationVariables, Configured> {
  return useStrictMutation(
    EditStudyDocument as TypedDocumentNode<EditStudyMutation, EditStudyMutationVariables>,
    options,
  );
}

/**
 * Calls `useQuery` with `StudyDocument`, strict types and the error policy `none`. Pass `skipToken` instead of the options
 * to skip the query. To show partial data, which has other types, call `useQuery(StudyDocument, …)` directly.
 */
export function useStudyQuery(
  options: Strict.QueryOptions<StudyQuery, StudyQueryVariables>,
): Strict.QueryResult<StudyQuery, StudyQueryVariables> {
  return useQuery(
    StudyDocument as TypedDocumentNode<StudyQuery, StudyQueryVariables>,
    options === skipToken ? skipToken : { ...options, errorPolicy: 'none' },
  );
}

/**
 * Calls `useLazyQuery` with `StudyDocument`, strict types and the error policy `none`. Pass the variables to the
 * returned function.
 */
export function useStudyLazyQuery(
  options: Strict.LazyQueryOptions<StudyQuery, StudyQueryVariables> = {},
): Strict.LazyQueryTuple<StudyQuery, StudyQueryVariables> {
  return useLazyQuery(StudyDocument as TypedDocumentNode<StudyQuery, StudyQueryVariables>, {
    ...options,
    errorPolicy: 'none',
  });
}

/**
 * Calls `useSuspenseQuery` with `StudyDocument`, strict types and the error policy `none`: suspends until the data is
 * there, and throws an error to the nearest error boundary.
 */
export function useStudySuspenseQuery(
  options: Strict.SuspenseQueryOptions<StudyQueryVariables>,
): Strict.SuspenseQueryResult<StudyQuery, StudyQueryVariables> {
  return useSuspenseQuery(StudyDocument as TypedDocumentNode<StudyQuery, StudyQueryVariables>, {
    ...options,
    errorPolicy: 'none',
  });
}

/**
 * Calls `useQuery` with `StudiesDocument`, strict types and the error policy `none`. Pass `skipToken` instead of the options
 * to skip the query. To show partial data, which has other types, call `useQuery(StudiesDocument, …)` directly.
 */
export function useStudiesQuery(
  options: Strict.QueryOptions<StudiesQuery, StudiesQueryVariables> = {},
): Strict.QueryResult<StudiesQuery, StudiesQueryVariables> {
  return useQuery(
    StudiesDocument as TypedDocumentNode<StudiesQuery, StudiesQueryVariables>,
    options === skipToken ? skipToken : { ...options, errorPolicy: 'none' },
  );
}

/**
 * Calls `useLazyQuery` with `StudiesDocument`, strict types and the error policy `none`. Pass the variables to the
 * returned function.
 */
export function useStudiesLazyQuery(
  options: Strict.LazyQueryOptions<StudiesQuery, StudiesQueryVariables> = {},
): Strict.LazyQueryTuple<StudiesQuery, StudiesQueryVariables> {
  return useLazyQuery(StudiesDocument as TypedDocumentNode<StudiesQuery, StudiesQueryVariables>, {
    ...options,
    errorPolicy: 'none',
  });
}

/**
 * Calls `useSuspenseQuery` with `StudiesDocument`, strict types and the error policy `none`: suspends until the data is
 * there, and throws an error to the nearest error boundary.
 */
export function useStudiesSuspenseQuery(
  options: Strict.SuspenseQueryOptions<StudiesQueryVariables> = {},
): Strict.SuspenseQueryResult<StudiesQuery, StudiesQueryVariables> {
  return useSuspenseQuery(StudiesDocument as TypedDocumentNode<StudiesQuery, StudiesQueryVariables>, {
    ...options,
    errorPolicy: 'none',
  });
}