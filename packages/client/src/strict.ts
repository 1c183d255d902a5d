// The entry `study-gateway-client/strict`: the operations, for clients that throw away what arrived with an error.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import * as nullable from './generated/operations.js';
import type {
  CreateStudyMutation,
  CreateStudyMutationVariables,
  EditStudyMutation,
  EditStudyMutationVariables,
  StudiesQuery,
  StudiesQueryVariables,
  StudyFieldsFragment,
  StudyQuery,
  StudyQueryVariables,
} from './generated/strict-operations.js';

export type * from './generated/strict-operations.js';

// oxlint-disable typescript/no-unsafe-type-assertion -- the types of the same documents, without the null beside an error

// Without the `null` that a field has only beside an error of its own.
export const CreateStudyDocument = nullable.CreateStudyDocument as TypedDocumentNode<
  CreateStudyMutation,
  CreateStudyMutationVariables
>;
export const EditStudyDocument = nullable.EditStudyDocument as TypedDocumentNode<
  EditStudyMutation,
  EditStudyMutationVariables
>;
export const StudyDocument = nullable.StudyDocument as TypedDocumentNode<
  StudyQuery,
  StudyQueryVariables
>;
export const StudiesDocument = nullable.StudiesDocument as TypedDocumentNode<
  StudiesQuery,
  StudiesQueryVariables
>;
export const StudyFieldsFragmentDoc =
  nullable.StudyFieldsFragmentDoc as TypedDocumentNode<StudyFieldsFragment>;
