interface StudyField {
  /** Type and format of a value, or of the items of a list, as in OpenAPI. */
  readonly kind: string;
  /** Operations whose bodies have the field. Default: none, the field is read-only. */
  readonly request?: 'create' | 'create and edit';
}

/** Fields of a study by their GraphQL names. */
const fields = {
  id: { kind: 'uuid' },
  description: { kind: 'string', request: 'create and edit' },
  projectId: { kind: 'uuid', request: 'create and edit' },
  createdAt: { kind: 'date-time', request: 'create and edit' },
  bookmarked: { kind: 'boolean', request: 'create and edit' },
  language: { kind: 'string', request: 'create and edit' },
  audiences: { kind: 'array of string', request: 'create and edit' },
  audiencesObj: { kind: 'array of object' },
  problems: { kind: 'array of string', request: 'create' },
  problemsObj: { kind: 'array of object' },
  files: { kind: 'array of string', request: 'create and edit' },
  planId: { kind: 'string' },
  progress: { kind: 'object', request: 'create and edit' },
  status: { kind: 'string', request: 'create and edit' },
  solutionId: { kind: 'uuid', request: 'create' },
  solution: { kind: 'object' },
  researchGoalId: { kind: 'uuid', request: 'create' },
  researchGoal: { kind: 'object' },
  knowledgeGraphs: { kind: 'array of string', request: 'create and edit' },
  // No source says that a request takes six values only.
  strategy: { kind: 'string', request: 'create and edit' },
  interviewCount: { kind: 'integer', request: 'create and edit' },
  interviews: { kind: 'array of string', request: 'create and edit' },
  summaries: { kind: 'array of string' },
} as const satisfies Record<string, StudyField>;

export type FieldName = keyof typeof fields;
export const studyFields: Readonly<Record<FieldName, StudyField>> = fields;

export type WriteName = 'createStudy' | 'editStudy';

/** Names of the fields in an answer. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a literal has no other members
export const answerNames = Object.keys(fields) as readonly FieldName[];
/** Names of the fields in the bodies of the two writes. */
export const requestNames: Readonly<Record<WriteName, readonly FieldName[]>> = {
  createStudy: answerNames.filter((name) => studyFields[name].request !== undefined),
  editStudy: answerNames.filter((name) => studyFields[name].request === 'create and edit'),
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
