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
  /** The audiences as strings. */
  audiences?: Array<string> | null | undefined;
  /** True or false. */
  bookmarked?: boolean | null | undefined;
  /** RFC 3339 date and time, passed on unchanged. The offset may be missing. */
  createdAt?: string | null | undefined;
  /** Free text. */
  description?: string | null | undefined;
  /** The files as strings. */
  files?: Array<string> | null | undefined;
  /** An integer. */
  interviewCount?: number | null | undefined;
  /** The interviews as strings. */
  interviews?: Array<string> | null | undefined;
  /** The knowledge graphs as strings. */
  knowledgeGraphs?: Array<string> | null | undefined;
  /** Free text. */
  language?: string | null | undefined;
  /** The problems as strings. Cannot be edited. */
  problems?: Array<string> | null | undefined;
  /** The three progress integers. */
  progress?: ProgressInput | null | undefined;
  /** Id of the project that the study belongs to. */
  projectId?: string | null | undefined;
  /** Id of a research goal. Cannot be edited. */
  researchGoalId?: string | null | undefined;
  /** Id of a solution. Cannot be edited. */
  solutionId?: string | null | undefined;
  /** Free text. The values and their transitions are not documented. */
  status?: string | null | undefined;
  /** Free text, passed on unchanged. The documented values are `solution_feedback`, `problem_exploration`, `custom_script`, `dynamic_interview`, `ethnographic_research`, `concept_study`. */
  strategy?: StudyStrategy | null | undefined;
};

/** Fields to change, the body of `PATCH /studies/{study_id}`. Omitted fields are not sent; `null` is sent as `null`. `problems`, `solutionId` and `researchGoalId` cannot be edited. */
export type EditStudyInput = {
  /** The audiences as strings. */
  audiences?: Array<string> | null | undefined;
  /** True or false. */
  bookmarked?: boolean | null | undefined;
  /** RFC 3339 date and time, passed on unchanged. The offset may be missing. */
  createdAt?: string | null | undefined;
  /** Free text. */
  description?: string | null | undefined;
  /** The files as strings. */
  files?: Array<string> | null | undefined;
  /** An integer. */
  interviewCount?: number | null | undefined;
  /** The interviews as strings. */
  interviews?: Array<string> | null | undefined;
  /** The knowledge graphs as strings. */
  knowledgeGraphs?: Array<string> | null | undefined;
  /** Free text. */
  language?: string | null | undefined;
  /** The three progress integers. */
  progress?: ProgressInput | null | undefined;
  /** Id of the project that the study belongs to. */
  projectId?: string | null | undefined;
  /** Free text. The values and their transitions are not documented. */
  status?: string | null | undefined;
  /** Free text, passed on unchanged. The documented values are `solution_feedback`, `problem_exploration`, `custom_script`, `dynamic_interview`, `ethnographic_research`, `concept_study`. */
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

export type StudiesProgressQueryVariables = Exact<{
  page?: number | null | undefined;
  size?: number | null | undefined;
  projectId?: Array<string> | string | null | undefined;
}>;


export type StudiesProgressQuery = { studies: { items: Array<{ id: string, status: string | null, progress: { total: number | null, completed: number | null, failed: number | null } | null } | null> | null } | null };

const toName = (value: string) => ({ kind: 'Name', value });
const toVariable = (name: string) => ({ kind: 'Variable', name: toName(name) });
const toArgument = (name: string) => ({ kind: 'Argument', name: toName(name), value: toVariable(name) });
const toSelections = (...selections: readonly object[]) => ({ kind: 'SelectionSet', selections });
const toField = (name: string) => ({ kind: 'Field', name: toName(name) });
const toDefinition = (name: string, type: object) => ({ kind: 'VariableDefinition', variable: toVariable(name), type });
const toType = (name: string) => ({ kind: 'NamedType', name: toName(name) });
const StudyFieldsDefinition = /* @__PURE__ */ (() => ({ kind: "FragmentDefinition", name: toName('StudyFields'), typeCondition: toType('Study'), selectionSet: toSelections(toField('id'), toField('description'), toField('projectId'), toField('createdAt'), toField('bookmarked'), toField('language'), toField('audiences'), toField('audiencesObj'), toField('problems'), toField('problemsObj'), toField('files'), toField('planId'), { kind: "Field", name: toName('progress'), selectionSet: toSelections(toField('total'), toField('completed'), toField('failed')) }, toField('status'), toField('solutionId'), toField('solution'), toField('researchGoalId'), toField('researchGoal'), toField('knowledgeGraphs'), toField('strategy'), toField('interviewCount'), toField('interviews'), toField('summaries')) }))();
export const StudyFieldsFragmentDoc = /* @__PURE__ */ (() => ({ kind: 'Document', definitions: [StudyFieldsDefinition] }))() as unknown as DocumentNode<StudyFieldsFragment, unknown>;
export const CreateStudyDocument = /* @__PURE__ */ (() => ({ kind: 'Document', definitions: [{ kind: "OperationDefinition", operation: "mutation", name: toName('CreateStudy'), variableDefinitions: [toDefinition('input', { kind: "NonNullType", type: toType('CreateStudyInput') }), toDefinition('idempotencyKey', toType('UUID'))], selectionSet: toSelections({ kind: "Field", name: toName('createStudy'), arguments: [toArgument('input'), toArgument('idempotencyKey')], selectionSet: toSelections({ kind: "FragmentSpread", name: toName('StudyFields') }) }) }, StudyFieldsDefinition] }))() as unknown as DocumentNode<CreateStudyMutation, CreateStudyMutationVariables>;
export const EditStudyDocument = /* @__PURE__ */ (() => ({ kind: 'Document', definitions: [{ kind: "OperationDefinition", operation: "mutation", name: toName('EditStudy'), variableDefinitions: [toDefinition('id', { kind: "NonNullType", type: toType('UUID') }), toDefinition('input', { kind: "NonNullType", type: toType('EditStudyInput') }), toDefinition('idempotencyKey', toType('UUID'))], selectionSet: toSelections({ kind: "Field", name: toName('editStudy'), arguments: [toArgument('id'), toArgument('input'), toArgument('idempotencyKey')], selectionSet: toSelections({ kind: "FragmentSpread", name: toName('StudyFields') }) }) }, StudyFieldsDefinition] }))() as unknown as DocumentNode<EditStudyMutation, EditStudyMutationVariables>;
export const StudyDocument = /* @__PURE__ */ (() => ({ kind: 'Document', definitions: [{ kind: "OperationDefinition", operation: "query", name: toName('Study'), variableDefinitions: [toDefinition('id', { kind: "NonNullType", type: toType('UUID') })], selectionSet: toSelections({ kind: "Field", name: toName('study'), arguments: [toArgument('id')], selectionSet: toSelections({ kind: "FragmentSpread", name: toName('StudyFields') }) }) }, StudyFieldsDefinition] }))() as unknown as DocumentNode<StudyQuery, StudyQueryVariables>;
export const StudiesDocument = /* @__PURE__ */ (() => ({ kind: 'Document', definitions: [{ kind: "OperationDefinition", operation: "query", name: toName('Studies'), variableDefinitions: [toDefinition('page', toType('Int')), toDefinition('size', toType('Int')), toDefinition('projectId', { kind: "ListType", type: { kind: "NonNullType", type: toType('UUID') } })], selectionSet: toSelections({ kind: "Field", name: toName('studies'), arguments: [toArgument('page'), toArgument('size'), toArgument('projectId')], selectionSet: toSelections({ kind: "Field", name: toName('items'), selectionSet: toSelections({ kind: "FragmentSpread", name: toName('StudyFields') }) }, toField('page'), toField('size'), toField('total'), toField('pages')) }) }, StudyFieldsDefinition] }))() as unknown as DocumentNode<StudiesQuery, StudiesQueryVariables>;
export const StudiesProgressDocument = /* @__PURE__ */ (() => ({ kind: 'Document', definitions: [{ kind: "OperationDefinition", operation: "query", name: toName('StudiesProgress'), variableDefinitions: [toDefinition('page', toType('Int')), toDefinition('size', toType('Int')), toDefinition('projectId', { kind: "ListType", type: { kind: "NonNullType", type: toType('UUID') } })], selectionSet: toSelections({ kind: "Field", name: toName('studies'), arguments: [toArgument('page'), toArgument('size'), toArgument('projectId')], selectionSet: toSelections({ kind: "Field", name: toName('items'), selectionSet: toSelections(toField('id'), toField('status'), { kind: "Field", name: toName('progress'), selectionSet: toSelections(toField('total'), toField('completed'), toField('failed')) }) }) }) }] }))() as unknown as DocumentNode<StudiesProgressQuery, StudiesProgressQueryVariables>;