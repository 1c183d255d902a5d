/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The documented values of `strategy`. */
export type KnownStudyStrategy =
  | 'solution_feedback'
  | 'problem_exploration'
  | 'custom_script'
  | 'dynamic_interview'
  | 'ethnographic_research'
  | 'concept_study';

/** Free text. Editors complete the documented values. */
export type StudyStrategy = KnownStudyStrategy | (string & {});

/** Fields of a new study, the body of `POST /studies`. Omitted fields are not sent; `null` is sent as `null`. */
export type CreateStudyInput = {
  /** An array of strings. */
  audiences?: Array<string> | null | undefined;
  /** True or false. */
  bookmarked?: boolean | null | undefined;
  /** RFC 3339 date and time, sent to the Study API unchanged. The offset may be missing. */
  createdAt?: string | null | undefined;
  /** Free text. */
  description?: string | null | undefined;
  /** An array of strings. */
  files?: Array<string> | null | undefined;
  /** An integer. */
  interviewCount?: number | null | undefined;
  /** An array of strings. */
  interviews?: Array<string> | null | undefined;
  /** An array of strings. */
  knowledgeGraphs?: Array<string> | null | undefined;
  /** Free text. */
  language?: string | null | undefined;
  /** An array of strings. Cannot be edited. */
  problems?: Array<string> | null | undefined;
  /** The three progress integers. */
  progress?: ProgressInput | null | undefined;
  /** Id of the project that the study belongs to. */
  projectId?: string | null | undefined;
  /** Id of a research goal. Cannot be edited. */
  researchGoalId?: string | null | undefined;
  /** Id of a solution. Cannot be edited. */
  solutionId?: string | null | undefined;
  /** Free text. Which values the Study API accepts is not documented. */
  status?: string | null | undefined;
  /** Free text. Which values the Study API accepts is not documented; it probably accepts `solution_feedback`, `problem_exploration`, `custom_script`, `dynamic_interview`, `ethnographic_research`, and `concept_study`. */
  strategy?: StudyStrategy | null | undefined;
};

/** Fields to change, the body of `PATCH /studies/{study_id}`. Omitted fields are not sent; `null` is sent as `null`. `problems`, `solutionId` and `researchGoalId` cannot be edited. */
export type EditStudyInput = {
  /** An array of strings. */
  audiences?: Array<string> | null | undefined;
  /** True or false. */
  bookmarked?: boolean | null | undefined;
  /** RFC 3339 date and time, sent to the Study API unchanged. The offset may be missing. */
  createdAt?: string | null | undefined;
  /** Free text. */
  description?: string | null | undefined;
  /** An array of strings. */
  files?: Array<string> | null | undefined;
  /** An integer. */
  interviewCount?: number | null | undefined;
  /** An array of strings. */
  interviews?: Array<string> | null | undefined;
  /** An array of strings. */
  knowledgeGraphs?: Array<string> | null | undefined;
  /** Free text. */
  language?: string | null | undefined;
  /** The three progress integers. */
  progress?: ProgressInput | null | undefined;
  /** Id of the project that the study belongs to. */
  projectId?: string | null | undefined;
  /** Free text. Which values the Study API accepts is not documented. */
  status?: string | null | undefined;
  /** Free text. Which values the Study API accepts is not documented; it probably accepts `solution_feedback`, `problem_exploration`, `custom_script`, `dynamic_interview`, `ethnographic_research`, and `concept_study`. */
  strategy?: StudyStrategy | null | undefined;
};

/** Progress of a study: three integers, whose meaning is not documented. */
export type ProgressInput = {
  /** An integer. */
  completed?: number | null | undefined;
  /** An integer. */
  failed?: number | null | undefined;
  /** An integer. */
  total?: number | null | undefined;
};

export type StudyFieldsFragment = { id: string, description: string | null, projectId: string | null, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string> | null, audiencesObj: Array<Record<string, unknown>> | null, problems: Array<string> | null, problemsObj: Array<Record<string, unknown>> | null, files: Array<string> | null, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: StudyStrategy | null, interviewCount: number | null, interviews: Array<string> | null, summaries: Array<string> | null, progress: { total: number | null, completed: number | null, failed: number | null } | null };

export type CreateStudyMutationVariables = Exact<{
  input: CreateStudyInput;
  idempotencyKey?: string | null | undefined;
}>;


export type CreateStudyMutation = { createStudy: { id: string, description: string | null, projectId: string | null, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string> | null, audiencesObj: Array<Record<string, unknown>> | null, problems: Array<string> | null, problemsObj: Array<Record<string, unknown>> | null, files: Array<string> | null, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: StudyStrategy | null, interviewCount: number | null, interviews: Array<string> | null, summaries: Array<string> | null, progress: { total: number | null, completed: number | null, failed: number | null } | null } | null };

export type EditStudyMutationVariables = Exact<{
  id: string;
  input: EditStudyInput;
  idempotencyKey?: string | null | undefined;
}>;


export type EditStudyMutation = { editStudy: { id: string, description: string | null, projectId: string | null, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string> | null, audiencesObj: Array<Record<string, unknown>> | null, problems: Array<string> | null, problemsObj: Array<Record<string, unknown>> | null, files: Array<string> | null, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: StudyStrategy | null, interviewCount: number | null, interviews: Array<string> | null, summaries: Array<string> | null, progress: { total: number | null, completed: number | null, failed: number | null } | null } | null };

export type StudyQueryVariables = Exact<{
  id: string;
}>;


export type StudyQuery = { study: { id: string, description: string | null, projectId: string | null, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string> | null, audiencesObj: Array<Record<string, unknown>> | null, problems: Array<string> | null, problemsObj: Array<Record<string, unknown>> | null, files: Array<string> | null, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: StudyStrategy | null, interviewCount: number | null, interviews: Array<string> | null, summaries: Array<string> | null, progress: { total: number | null, completed: number | null, failed: number | null } | null } | null };

export type StudiesQueryVariables = Exact<{
  page?: number | null | undefined;
  size?: number | null | undefined;
  projectId?: Array<string> | string | null | undefined;
}>;


export type StudiesQuery = { studies: { page: number | null, size: number | null, total: number | null, pages: number | null, items: Array<{ id: string, description: string | null, projectId: string | null, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string> | null, audiencesObj: Array<Record<string, unknown>> | null, problems: Array<string> | null, problemsObj: Array<Record<string, unknown>> | null, files: Array<string> | null, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: StudyStrategy | null, interviewCount: number | null, interviews: Array<string> | null, summaries: Array<string> | null, progress: { total: number | null, completed: number | null, failed: number | null } | null } | null> | null } | null };

const StudyFieldsDefinition = {"kind":"FragmentDefinition","name":{"kind":"Name","value":"StudyFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Study"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"bookmarked"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"audiences"}},{"kind":"Field","name":{"kind":"Name","value":"audiencesObj"}},{"kind":"Field","name":{"kind":"Name","value":"problems"}},{"kind":"Field","name":{"kind":"Name","value":"problemsObj"}},{"kind":"Field","name":{"kind":"Name","value":"files"}},{"kind":"Field","name":{"kind":"Name","value":"planId"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"completed"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"solutionId"}},{"kind":"Field","name":{"kind":"Name","value":"solution"}},{"kind":"Field","name":{"kind":"Name","value":"researchGoalId"}},{"kind":"Field","name":{"kind":"Name","value":"researchGoal"}},{"kind":"Field","name":{"kind":"Name","value":"knowledgeGraphs"}},{"kind":"Field","name":{"kind":"Name","value":"strategy"}},{"kind":"Field","name":{"kind":"Name","value":"interviewCount"}},{"kind":"Field","name":{"kind":"Name","value":"interviews"}},{"kind":"Field","name":{"kind":"Name","value":"summaries"}}]}};
export const StudyFieldsFragmentDoc = {"kind":"Document","definitions":[StudyFieldsDefinition]} as unknown as DocumentNode<StudyFieldsFragment, unknown>;
export const CreateStudyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateStudy"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateStudyInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createStudy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StudyFields"}}]}}]}},StudyFieldsDefinition]} as unknown as DocumentNode<CreateStudyMutation, CreateStudyMutationVariables>;
export const EditStudyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EditStudy"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"EditStudyInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"editStudy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StudyFields"}}]}}]}},StudyFieldsDefinition]} as unknown as DocumentNode<EditStudyMutation, EditStudyMutationVariables>;
export const StudyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Study"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"study"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StudyFields"}}]}}]}},StudyFieldsDefinition]} as unknown as DocumentNode<StudyQuery, StudyQueryVariables>;
export const StudiesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Studies"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"page"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"size"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"studies"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"page"},"value":{"kind":"Variable","name":{"kind":"Name","value":"page"}}},{"kind":"Argument","name":{"kind":"Name","value":"size"},"value":{"kind":"Variable","name":{"kind":"Name","value":"size"}}},{"kind":"Argument","name":{"kind":"Name","value":"projectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StudyFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"page"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"pages"}}]}}]}},StudyFieldsDefinition]} as unknown as DocumentNode<StudiesQuery, StudiesQueryVariables>;