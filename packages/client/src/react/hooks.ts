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

import type {
  StrictLazyQueryOptions,
  StrictLazyQueryTuple,
  StrictMutationOptions,
  StrictMutationTuple,
  StrictQueryOptions,
  StrictQueryResult,
  StrictSuspenseQueryOptions,
  StrictSuspenseQueryResult,
} from './strict-types.js';

export type * from '../generated/strict-operations.js';

/**
 * Calls `useMutation` with `CreateStudyDocument`, strict types and the error policy `none`. Pass variables in the options, to the
 * returned function, or some to each. `idempotent: true` sends idempotency keys.
 */
export function useCreateStudyMutation<Configured extends Partial<CreateStudyMutationVariables> = object>(
  options?: StrictMutationOptions<CreateStudyMutation, CreateStudyMutationVariables, Configured>,
): StrictMutationTuple<CreateStudyMutation, CreateStudyMutationVariables, Configured> {
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
  options?: StrictMutationOptions<EditStudyMutation, EditStudyMutationVariables, Configured>,
): StrictMutationTuple<EditStudyMutation, EditStudyMutationVariables, Configured> {
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
  options: StrictQueryOptions<StudyQuery, StudyQueryVariables>,
): StrictQueryResult<StudyQuery, StudyQueryVariables> {
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
  options: StrictLazyQueryOptions<StudyQuery, StudyQueryVariables> = {},
): StrictLazyQueryTuple<StudyQuery, StudyQueryVariables> {
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
  options: StrictSuspenseQueryOptions<StudyQueryVariables>,
): StrictSuspenseQueryResult<StudyQuery, StudyQueryVariables> {
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
  options: StrictQueryOptions<StudiesQuery, StudiesQueryVariables> = {},
): StrictQueryResult<StudiesQuery, StudiesQueryVariables> {
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
  options: StrictLazyQueryOptions<StudiesQuery, StudiesQueryVariables> = {},
): StrictLazyQueryTuple<StudiesQuery, StudiesQueryVariables> {
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
  options: StrictSuspenseQueryOptions<StudiesQueryVariables> = {},
): StrictSuspenseQueryResult<StudiesQuery, StudiesQueryVariables> {
  return useSuspenseQuery(StudiesDocument as TypedDocumentNode<StudiesQuery, StudiesQueryVariables>, {
    ...options,
    errorPolicy: 'none',
  });
}