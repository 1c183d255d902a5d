/** Names of the fields in the body of an edit. */
const editFields = [
  'description',
  'projectId',
  'createdAt',
  'bookmarked',
  'language',
  'audiences',
  'files',
  'progress',
  'status',
  'knowledgeGraphs',
  'strategy',
  'interviewCount',
  'interviews',
] as const;
const createFields = [...editFields, 'problems', 'solutionId', 'researchGoalId'] as const;
const readOnlyFields = [
  'audiencesObj',
  'problemsObj',
  'planId',
  'solution',
  'researchGoal',
  'summaries',
] as const;

/** Names of the fields in an answer: the GraphQL names. */
export const answerNames = ['id', ...createFields, ...readOnlyFields] as const;

export type FieldName = (typeof answerNames)[number];
export type WriteName = 'createStudy' | 'editStudy';

/** Names of the fields in the bodies of the two writes. */
export const requestNames: Readonly<Record<WriteName, readonly FieldName[]>> = {
  createStudy: createFields,
  editStudy: editFields,
};
/** Names of the integers in a page of the list. */
export const pageNumbers = ['page', 'size', 'total', 'pages'] as const;
/** Names of the arguments of the list. */
export const listArguments = ['page', 'size', 'projectId'] as const;

/** How the API names fields. */
export interface Names {
  readonly naming: 'camelCase' | 'snake_case';
  readonly names: Readonly<Partial<Record<string, string>>>;
}

/** Returns the API's name of a field of a study, or its place as a JSON Pointer. */
export function toApiName({ naming, names }: Names, field: string): string {
  const toSnake = (letter: string): string => `_${letter.toLowerCase()}`;
  return names[field] ?? (naming === 'camelCase' ? field : field.replaceAll(/[A-Z]/g, toSnake));
}
