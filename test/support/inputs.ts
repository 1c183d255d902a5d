/** Id of the study that tests of `editStudy` edit. */
export const studyId = '0b9d1f2a-6d55-4a6e-9d5c-0c8f5d1f7a11';

/** A mutation, and the REST call that the gateway must send for the mutation. */
export interface Operation {
  readonly name: 'createStudy' | 'editStudy';
  readonly inputType: 'CreateStudyInput' | 'EditStudyInput';
  readonly method: 'POST' | 'PATCH';
  readonly url: string;
  /** Builds the document from the text of the `input` argument and of the variable definitions. */
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

/** A field of an input, and its path, such as `["progress", "total"]`. */
export interface InputField {
  readonly path: readonly string[];
  readonly type: FieldType;
}

/** The thirteen fields that create and edit bodies share, in the order of the Study API's document. */
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

/** The three fields that only the create body has. */
export const createOnlyFields: Readonly<Record<string, FieldType>> = {
  problems: '[String!]',
  solutionId: 'UUID',
  researchGoalId: 'UUID',
};

const progressFields: readonly InputField[] = ['total', 'completed', 'failed'].map((name) => ({
  path: ['progress', name],
  type: 'Int',
}));

/** Returns all fields of an operation's input, including the fields of `progress`. */
export function toFields({ name }: Operation): InputField[] {
  const types = name === 'createStudy' ? { ...commonFields, ...createOnlyFields } : commonFields;
  const fields = Object.entries(types).map(([field, type]) => ({ path: [field], type }));
  return [...fields, ...progressFields];
}

/** Returns an object with `value` at `path`. */
export function nest(path: readonly string[], value: unknown): Record<string, unknown> {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}

/** Returns a GraphQL object literal with the literal `text` at `path`. */
export function nestLiteral(path: readonly string[], text: string): string {
  return path.reduceRight((inner, name) => `{ ${name}: ${inner} }`, text);
}

/** Writes a JSON value as a GraphQL literal: object keys are not quoted. All strings must be well-formed Unicode. */
export function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, item]) => `${name}: ${toLiteral(item)}`);
  return `{ ${fields.join(', ')} }`;
}

/** Formats a value for the title of a test; long values are cut. */
export function toLabel(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 40 ? text : `${text.slice(0, 39)}… (${text.length})`;
}
