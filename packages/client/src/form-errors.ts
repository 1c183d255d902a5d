import type { CreateStudyInput, EditStudyInput, ProgressInput } from './generated/operations.js';
import type { FieldError, StudyProblem } from './problem.js';

type InputField = keyof CreateStudyInput | keyof EditStudyInput;
type ProgressField = `progress.${keyof ProgressInput}`;

/** A field of a study form. Each integer of `progress` has a dotted name, as in form libraries. */
export type FormField = InputField | ProgressField;

export interface FormErrors {
  /** Messages by field, in the order of the response. An error of a list item counts for the list. */
  readonly fields: { readonly [Field in FormField]?: readonly string[] };
  /**
   * Messages that belong to no field: what the Study API says of no single value comes first. Holds the problem's own
   * message when the problem has no other message: `form` and `fields` are never both empty.
   */
  readonly form: readonly string[];
}

// Lists the names of `FormField` for use at run time. TypeScript refuses a missing or an unknown name.
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

/** Sorts the messages of a problem into messages of single fields and messages of the whole form. */
export function formErrors({ fieldErrors, upstreamMessage, message }: StudyProblem): FormErrors {
  const fields: { [Field in FormField]?: string[] } = {};
  const form: string[] = upstreamMessage === undefined ? [] : [upstreamMessage];
  for (const error of fieldErrors) {
    const field = toFormField(error);
    if (field) (fields[field] ??= []).push(error.message);
    else form.push(error.message);
  }
  return { fields, form: fieldErrors.length > 0 || form.length > 0 ? form : [message] };
}

function toFormField({ path }: FieldError): FormField | undefined {
  const [argument, field, part] = path;
  if (argument !== 'input') return undefined;
  return [`${field}.${part}`, field].find(isFormField);
}

function isFormField(name: unknown): name is FormField {
  return typeof name === 'string' && Object.hasOwn(formFields, name);
}
