import type { CreateStudyInput, EditStudyInput, ProgressInput } from './generated/operations.js';
import type { FieldError, StudyProblem } from './problem.js';

type InputField = keyof CreateStudyInput | keyof EditStudyInput;
type ProgressField = `progress.${keyof ProgressInput}`;

/** A field of a study form. The three integers of `progress` have one each, named as form libraries do. */
export type FormField = InputField | ProgressField;

export interface FormErrors {
  /** By field, in the order of the answer. An item of a list belongs to its list. */
  readonly fields: { readonly [Field in FormField]?: readonly string[] };
  /** What belongs to no field; the problem's message when it names no value at all. Empty only beside `fields`. */
  readonly form: readonly string[];
}

// Types are gone at run time; this list cannot be short of a field, nor have one too many.
const formFields: Readonly<Record<FormField, true>> = {
  audiences: true,
  bookmarked: true,
  createdAt: true,
  description: true,
  files: true,
  interviewCount: true,
  interviews: true,
  knowledgeGraphs: true,
  language: true,
  problems: true,
  progress: true,
  'progress.completed': true,
  'progress.failed': true,
  'progress.total': true,
  projectId: true,
  researchGoalId: true,
  solutionId: true,
  status: true,
  strategy: true,
};

/** What to write beside each field of a form, and above it. */
export function formErrors({ fieldErrors, message }: StudyProblem): FormErrors {
  const fields: { [Field in FormField]?: string[] } = {};
  const form: string[] = [];
  for (const error of fieldErrors) {
    const field = toFormField(error);
    if (field) (fields[field] ??= []).push(error.message);
    else form.push(error.message);
  }
  return { fields, form: fieldErrors.length > 0 ? form : [message] };
}

function toFormField({ path }: FieldError): FormField | undefined {
  const [argument, field, part] = path;
  if (argument !== 'input') return undefined;
  return [`${field}.${part}`, field].find(isFormField);
}

function isFormField(name: unknown): name is FormField {
  return typeof name === 'string' && Object.hasOwn(formFields, name);
}
