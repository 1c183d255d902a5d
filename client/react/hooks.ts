import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { skipToken, useMutation, useQuery } from '@apollo/client/react';

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

import type {
  StrictMutationOptions,
  StrictMutationTuple,
  StrictQueryOptions,
  StrictQueryResult,
} from './strict-types.js';

export type * from '../generated/strict-operations.js';

/**
 * Calls `useMutation` with `CreateStudyDocument`, strict types and the error policy `none`. Pass the variables to the returned
 * function.
 */
export function useCreateStudyMutation(
  options?: StrictMutationOptions<CreateStudyMutation, CreateStudyMutationVariables>,
): StrictMutationTuple<CreateStudyMutation, CreateStudyMutationVariables> {
  return useMutation<CreateStudyMutation, CreateStudyMutationVariables>(
    CreateStudyDocument as TypedDocumentNode<CreateStudyMutation, CreateStudyMutationVariables>,
    { ...options, errorPolicy: 'none' },
  );
}

/**
 * Calls `useMutation` with `EditStudyDocument`, strict types and the error policy `none`. Pass the variables to the returned
 * function.
 */
export function useEditStudyMutation(
  options?: StrictMutationOptions<EditStudyMutation, EditStudyMutationVariables>,
): StrictMutationTuple<EditStudyMutation, EditStudyMutationVariables> {
  return useMutation<EditStudyMutation, EditStudyMutationVariables>(
    EditStudyDocument as TypedDocumentNode<EditStudyMutation, EditStudyMutationVariables>,
    { ...options, errorPolicy: 'none' },
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
 * Calls `useQuery` with `StudiesDocument`, strict types and the error policy `none`. Pass `skipToken` instead of the options
 * to skip the query. To show partial data, which has other types, call `useQuery(StudiesDocument, …)` directly.
 */
export function useStudiesQuery(
  options: StrictQueryOptions<StudiesQuery, StudiesQueryVariables>,
): StrictQueryResult<StudiesQuery, StudiesQueryVariables> {
  return useQuery(
    StudiesDocument as TypedDocumentNode<StudiesQuery, StudiesQueryVariables>,
    options === skipToken ? skipToken : { ...options, errorPolicy: 'none' },
  );
}