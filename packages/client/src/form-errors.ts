import type { CreateStudyInput, EditStudyInput, ProgressInput } from './generated/operations.js';
import type { StudyProblem } from './problem.js';

/** A field of a study form. Each integer of `progress` has a dotted name, as in form libraries. */
export type FormField =
  keyof CreateStudyInput | keyof EditStudyInput | `progress.${keyof ProgressInput}`;

export interface FormErrors<Field extends FormField> {
  /** Messages by field, in the order of the response. An error of a list item counts for the list. */
  readonly fields: { readonly [Name in Field]?: readonly string[] };
  /**
   * Messages that belong to no field of the form: what the Study API says of no single value comes first. Holds the
   * problem's own message when the problem has no other message: `form` and `fields` are never both empty.
   */
  readonly form: readonly string[];
}

/**
 * Sorts the messages of a problem into messages of single fields and messages of the whole form.
 *
 * @param names fields that the form shows
 */
export function formErrors<Field extends FormField>(
  { fieldErrors, upstreamMessage, message }: StudyProblem,
  names: readonly Field[],
): FormErrors<Field> {
  const fields: { [Name in Field]?: string[] } = {};
  const form: string[] = upstreamMessage === undefined ? [] : [upstreamMessage];
  for (const { path, message: text } of fieldErrors) {
    const [argument, field, part] = path;
    const paths = argument === 'input' ? [`${field}.${part}`, field] : [];
    const name = paths.flatMap((each) => names.find((known) => known === each) ?? [])[0];
    if (name) (fields[name] ??= []).push(text);
    else form.push(text);
  }
  return { fields, form: fieldErrors.length > 0 || form.length > 0 ? form : [message] };
}
