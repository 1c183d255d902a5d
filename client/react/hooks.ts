import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { skipToken, useMutation, useQuery } from '@apollo/client/react';

import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
} from '../generated/operations.js';

import type {
  CreateStudyMutation,
  CreateStudyMutationVariables,
  EditStudyMutation,
  EditStudyMutationVariables,
  StudyQuery,
  StudyQueryVariables,
} from '../generated/strict-operations.js';

import type {
  StrictMutationOptions,
  StrictMutationTuple,
  StrictQueryOptions,
  StrictQueryResult,
} from './strict-types.js';

export type * from '../generated/strict-operations.js';

/**
 * `useMutation` with `CreateStudyDocument` and strict types. Its error policy is `none`. Its variables are given when the function
 * that it returns is called.
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
 * `useMutation` with `EditStudyDocument` and strict types. Its error policy is `none`. Its variables are given when the function
 * that it returns is called.
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
 * `useQuery` with `StudyDocument` and strict types; `skipToken` in place of the options leaves it out. Its error policy is
 * `none`. What shows partial data has other types: call `useQuery(StudyDocument, …)` for it.
 */
export function useStudyQuery(
  options: StrictQueryOptions<StudyQuery, StudyQueryVariables>,
): StrictQueryResult<StudyQuery, StudyQueryVariables> {
  return useQuery(
    StudyDocument as TypedDocumentNode<StudyQuery, StudyQueryVariables>,
    options === skipToken ? skipToken : { ...options, errorPolicy: 'none' },
  );
}