/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from './operations.js';

export type StudyFieldsFragment = { id: string, description: string | null, projectId: string, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string>, audiencesObj: Array<Record<string, unknown>>, problems: Array<string>, problemsObj: Array<Record<string, unknown>>, files: Array<string>, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: Types.StudyStrategy | null, interviewCount: number | null, interviews: Array<string>, summaries: Array<string>, progress: { total: number | null, completed: number | null, failed: number | null } | null };

export type CreateStudyMutationVariables = Exact<{
  input: Types.CreateStudyInput;
  idempotencyKey?: string | null | undefined;
}>;


export type CreateStudyMutation = { createStudy: { id: string, description: string | null, projectId: string, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string>, audiencesObj: Array<Record<string, unknown>>, problems: Array<string>, problemsObj: Array<Record<string, unknown>>, files: Array<string>, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: Types.StudyStrategy | null, interviewCount: number | null, interviews: Array<string>, summaries: Array<string>, progress: { total: number | null, completed: number | null, failed: number | null } | null } };

export type EditStudyMutationVariables = Exact<{
  id: string;
  input: Types.EditStudyInput;
  idempotencyKey?: string | null | undefined;
}>;


export type EditStudyMutation = { editStudy: { id: string, description: string | null, projectId: string, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string>, audiencesObj: Array<Record<string, unknown>>, problems: Array<string>, problemsObj: Array<Record<string, unknown>>, files: Array<string>, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: Types.StudyStrategy | null, interviewCount: number | null, interviews: Array<string>, summaries: Array<string>, progress: { total: number | null, completed: number | null, failed: number | null } | null } };

export type StudyQueryVariables = Exact<{
  id: string;
}>;


export type StudyQuery = { study: { id: string, description: string | null, projectId: string, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string>, audiencesObj: Array<Record<string, unknown>>, problems: Array<string>, problemsObj: Array<Record<string, unknown>>, files: Array<string>, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: Types.StudyStrategy | null, interviewCount: number | null, interviews: Array<string>, summaries: Array<string>, progress: { total: number | null, completed: number | null, failed: number | null } | null } | null };

export type StudiesQueryVariables = Exact<{
  page?: number | null | undefined;
  size?: number | null | undefined;
  projectId?: Array<string> | string | null | undefined;
}>;


export type StudiesQuery = { studies: { page: number | null, size: number | null, total: number | null, pages: number | null, items: Array<{ id: string, description: string | null, projectId: string, createdAt: string | null, bookmarked: boolean | null, language: string | null, audiences: Array<string>, audiencesObj: Array<Record<string, unknown>>, problems: Array<string>, problemsObj: Array<Record<string, unknown>>, files: Array<string>, planId: string | null, status: string | null, solutionId: string | null, solution: Record<string, unknown> | null, researchGoalId: string | null, researchGoal: Record<string, unknown> | null, knowledgeGraphs: Array<string> | null, strategy: Types.StudyStrategy | null, interviewCount: number | null, interviews: Array<string>, summaries: Array<string>, progress: { total: number | null, completed: number | null, failed: number | null } | null }> } };
