'use client';

import { useMutation, useQuery, type SkipToken } from '@apollo/client/react';
import { CreateStudyDocument, EditStudyDocument, StudyDocument, StudiesDocument } from './operations.js';
import type * as types from './operations.js';

export const useCreateStudyMutation = (options?: useMutation.Options<types.CreateStudyMutation, types.CreateStudyMutationVariables>): useMutation.ResultTuple<types.CreateStudyMutation, types.CreateStudyMutationVariables> => useMutation(CreateStudyDocument, options as never) as never;
export const useEditStudyMutation = (options?: useMutation.Options<types.EditStudyMutation, types.EditStudyMutationVariables>): useMutation.ResultTuple<types.EditStudyMutation, types.EditStudyMutationVariables> => useMutation(EditStudyDocument, options as never) as never;
export const useStudyQuery = (options: useQuery.Options<types.StudyQuery, types.StudyQueryVariables> | SkipToken): useQuery.Result<types.StudyQuery, types.StudyQueryVariables, 'complete' | 'streaming' | 'empty'> => useQuery(StudyDocument, options as never) as never;
export const useStudiesQuery = (options?: useQuery.Options<types.StudiesQuery, types.StudiesQueryVariables> | SkipToken): useQuery.Result<types.StudiesQuery, types.StudiesQueryVariables, 'complete' | 'streaming' | 'empty'> => useQuery(StudiesDocument, options as never) as never;
