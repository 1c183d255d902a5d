/** The study that every test edit is about. */
export const studyId = '0b9d1f2a-6d55-4a6e-9d5c-0c8f5d1f7a11';

/** A mutation, and the REST call that it must become. */
export interface Operation {
  readonly name: 'createStudy' | 'editStudy';
  readonly inputType: 'CreateStudyInput' | 'EditStudyInput';
  readonly method: 'POST' | 'PATCH';
  readonly url: string;
  /** The document, from the text of its input argument and of its variable definitions. */
  readonly toDocument: (input: string, definitions?: string) => string;
}

export const createStudy: Operation = {
  name: 'createStudy',
  inputType: 'CreateStudyInput',
  method: 'POST',
  url: '/studies',
  toDocument: (input, definitions = '') =>
    `mutation ${definitions} { createStudy(input: ${input}) { id } }`,
};

export const editStudy: Operation = {
  name: 'editStudy',
  inputType: 'EditStudyInput',
  method: 'PATCH',
  url: `/studies/${studyId}`,
  toDocument: (input, definitions = '') =>
    `mutation ${definitions} { editStudy(id: "${studyId}", input: ${input}) { id } }`,
};

export type FieldType =
  'String' | 'UUID' | 'DateTime' | 'Boolean' | 'Int' | '[String!]' | 'ProgressInput';

/** A field of an input, and the way to it: `["progress", "total"]`. */
export interface InputField {
  readonly path: readonly string[];
  readonly type: FieldType;
}

/** The thirteen fields of both bodies, in the document's order. */
export const commonFields: Readonly<Record<string, FieldType>> = {
  description: 'String',
  projectId: 'UUID',
  createdAt: 'DateTime',
  bookmarked: 'Boolean',
  language: 'String',
  audiences: '[String!]',
  files: '[String!]',
  progress: 'ProgressInput',
  status: 'String',
  knowledgeGraphs: '[String!]',
  strategy: 'String',
  interviewCount: 'Int',
  interviews: '[String!]',
};

/** The three fields of the create body that the edit body has not. */
export const createOnlyFields: Readonly<Record<string, FieldType>> = {
  problems: '[String!]',
  solutionId: 'UUID',
  researchGoalId: 'UUID',
};

const progressFields: readonly InputField[] = ['total', 'completed', 'failed'].map((name) => ({
  path: ['progress', name],
  type: 'Int',
}));

/** Every field that an operation's input has, those of `progress` among them. */
export function toFields({ name }: Operation): InputField[] {
  const types = name === 'createStudy' ? { ...commonFields, ...createOnlyFields } : commonFields;
  const fields = Object.entries(types).map(([field, type]) => ({ path: [field], type }));
  return [...fields, ...progressFields];
}

/** `value` at the end of `path`, as an object. */
export function nest(path: readonly string[], value: unknown): Record<string, unknown> {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}

/** `text` at the end of `path`, as a GraphQL literal. */
export function nestLiteral(path: readonly string[], text: string): string {
  return path.reduceRight((inner, name) => `{ ${name}: ${inner} }`, text);
}

/** A JSON value of well-formed strings as a GraphQL literal: JSON, but for the names of an object. */
export function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, item]) => `${name}: ${toLiteral(item)}`);
  return `{ ${fields.join(', ')} }`;
}

/** A value for the title of a test. */
export function toLabel(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 40 ? text : `${text.slice(0, 39)}… (${text.length})`;
}
