import { useMutation, useQuery, type SkipToken } from '@apollo/client/react';

import {
  CreateStudyDocument,
  type CreateStudyMutation,
  type CreateStudyMutationVariables,
  EditStudyDocument,
  type EditStudyMutation,
  type EditStudyMutationVariables,
  StudyDocument,
  type StudyQuery,
  type StudyQueryVariables,
  StudiesDocument,
  type StudiesQuery,
  type StudiesQueryVariables,
} from '../generated/operations.js';

/** `useMutation` with `CreateStudyDocument`. Its variables are given when the function that it returns is called. */
export function useCreateStudyMutation(
  options?: Omit<useMutation.Options<CreateStudyMutation, CreateStudyMutationVariables>, 'variables'>,
): useMutation.ResultTuple<CreateStudyMutation, CreateStudyMutationVariables> {
  return useMutation<CreateStudyMutation, CreateStudyMutationVariables>(CreateStudyDocument, options);
}

/** `useMutation` with `EditStudyDocument`. Its variables are given when the function that it returns is called. */
export function useEditStudyMutation(
  options?: Omit<useMutation.Options<EditStudyMutation, EditStudyMutationVariables>, 'variables'>,
): useMutation.ResultTuple<EditStudyMutation, EditStudyMutationVariables> {
  return useMutation<EditStudyMutation, EditStudyMutationVariables>(EditStudyDocument, options);
}

/**
 * `useQuery` with `StudyDocument`; `skipToken` in place of the options leaves it out. What reads partial data from the
 * cache (`returnPartialData`) has other types: call `useQuery(StudyDocument, …)` for it.
 */
export function useStudyQuery(
  options: SkipToken | (useQuery.Options<StudyQuery, StudyQueryVariables> & { returnPartialData?: false }),
): useQuery.Result<
  StudyQuery,
  StudyQueryVariables,
  'empty' | 'complete' | 'streaming',
  Partial<StudyQueryVariables>
> {
  return useQuery(StudyDocument, options);
}

/**
 * `useQuery` with `StudiesDocument`; `skipToken` in place of the options leaves it out. What reads partial data from the
 * cache (`returnPartialData`) has other types: call `useQuery(StudiesDocument, …)` for it.
 */
export function useStudiesQuery(
  options: SkipToken | (useQuery.Options<StudiesQuery, StudiesQueryVariables> & { returnPartialData?: false }),
): useQuery.Result<
  StudiesQuery,
  StudiesQueryVariables,
  'empty' | 'complete' | 'streaming',
  Partial<StudiesQueryVariables>
> {
  return useQuery(StudiesDocument, options);
}