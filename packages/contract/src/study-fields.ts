/** Types of JSON by the kinds of values, as far as the document and the public reference tell kinds apart. */
export const kinds = {
  uuid: 'string',
  'date-time': 'string',
  // `strategy` is text: no source says that a request takes six values only.
  text: 'string',
  boolean: 'boolean',
  integer: 'integer',
  texts: 'array',
  objects: 'array',
  object: 'object',
  progress: 'object',
} as const;

export type Kind = keyof typeof kinds;

interface StudyField {
  readonly kind: Kind;
  /** Whether an answer must have a value, may have `null`, or may leave the field out. */
  readonly answer: 'value' | 'nullable' | 'optional';
  /** Operations whose bodies have the field. Default: none, the field is read-only. */
  readonly request?: 'create' | 'create and edit';
}

/**
 * Fields of a study by their GraphQL names. Both sources require what must have a value, except `id`, which only the
 * reference requires; each of these fields but `id` is `@semanticNonNull` in the GraphQL schema.
 */
const fields = {
  id: { kind: 'uuid', answer: 'value' },
  description: { kind: 'text', answer: 'optional', request: 'create and edit' },
  projectId: { kind: 'uuid', answer: 'value', request: 'create and edit' },
  createdAt: { kind: 'date-time', answer: 'optional', request: 'create and edit' },
  bookmarked: { kind: 'boolean', answer: 'optional', request: 'create and edit' },
  language: { kind: 'text', answer: 'optional', request: 'create and edit' },
  audiences: { kind: 'texts', answer: 'value', request: 'create and edit' },
  audiencesObj: { kind: 'objects', answer: 'value' },
  problems: { kind: 'texts', answer: 'value', request: 'create' },
  problemsObj: { kind: 'objects', answer: 'value' },
  files: { kind: 'texts', answer: 'value', request: 'create and edit' },
  planId: { kind: 'text', answer: 'nullable' },
  progress: { kind: 'progress', answer: 'optional', request: 'create and edit' },
  status: { kind: 'text', answer: 'optional', request: 'create and edit' },
  solutionId: { kind: 'uuid', answer: 'optional', request: 'create' },
  solution: { kind: 'object', answer: 'optional' },
  researchGoalId: { kind: 'uuid', answer: 'optional', request: 'create' },
  researchGoal: { kind: 'object', answer: 'optional' },
  knowledgeGraphs: { kind: 'texts', answer: 'optional', request: 'create and edit' },
  strategy: { kind: 'text', answer: 'optional', request: 'create and edit' },
  interviewCount: { kind: 'integer', answer: 'optional', request: 'create and edit' },
  interviews: { kind: 'texts', answer: 'value', request: 'create and edit' },
  summaries: { kind: 'texts', answer: 'value' },
} as const satisfies Record<string, StudyField>;

export type FieldName = keyof typeof fields;
export const studyFields: Readonly<Record<FieldName, StudyField>> = fields;

export type WriteName = 'createStudy' | 'editStudy';
export const writes: readonly WriteName[] = ['createStudy', 'editStudy'];
export type OperationName = 'study' | 'studies' | WriteName;

/** Returns the names of the members of a literal. */
export function toKeys<Key extends string>(literal: Readonly<Record<Key, unknown>>): Key[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a literal has no other members
  return Object.keys(literal) as Key[];
}

function select(isSelected: (field: StudyField) => boolean): readonly FieldName[] {
  return toKeys(fields).filter((name) => isSelected(studyFields[name]));
}

/** Names of the fields in an answer. */
export const answerNames = select(() => true);
/** Names of the fields that an API may lack in its answers: each is `null` then. Without an id, there is no study. */
export const absentable: readonly FieldName[] = answerNames.filter((name) => name !== 'id');
/** Names of the fields in the bodies of the two writes. */
export const requestNames: Readonly<Record<WriteName, readonly FieldName[]>> = {
  createStudy: select(({ request }) => request !== undefined),
  editStudy: select(({ request }) => request === 'create and edit'),
};
/** Precedes the name of a part of a progress in a contract. */
export const progressPrefix = 'progress.';
/** Names of the integers in a progress, in a contract. */
export const partNames = ['progress.total', 'progress.completed', 'progress.failed'] as const;
/** Names of the integers in a page of the list. */
export const pageNumbers = ['page', 'size', 'total', 'pages'] as const;
/** Names of the arguments of the list. */
export const listArguments = ['page', 'size', 'projectId'] as const;

export type PageNumber = (typeof pageNumbers)[number];

/** Rules that make a name of an API from a GraphQL name, which is in camel case. */
export const namings = {
  camelCase: (name: string) => name,
  snake_case: (name: string) => toWords(name).join('_'),
  'kebab-case': (name: string) => toWords(name).join('-'),
  PascalCase: (name: string) => name.charAt(0).toUpperCase() + name.slice(1),
} as const;

export type Naming = keyof typeof namings;

function toWords(name: string): string[] {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}

/** Returns a name without what only the rule of its case decides: `plan_id` and `planId` become equal. */
export function foldName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
