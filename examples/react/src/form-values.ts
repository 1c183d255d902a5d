import type { EditStudyInput, FormField, StudyFieldsFragment } from 'study-gateway-client';

export const formFields = [
  'description',
  'projectId',
  'strategy',
  'interviewCount',
  'audiences',
] as const satisfies readonly FormField[];

/** The controls hold all values as text; a list has one line for each item. */
export type FormValues = Readonly<Record<(typeof formFields)[number], string>>;

/** A field that is omitted or could not be read is empty, and is not sent unless somebody fills it in. */
export function toFormValues(study: Partial<StudyFieldsFragment>): FormValues {
  return {
    description: study.description ?? '',
    projectId: study.projectId ?? '',
    strategy: study.strategy ?? '',
    interviewCount: study.interviewCount?.toString() ?? '',
    audiences: study.audiences?.join('\n') ?? '',
  };
}

export const emptyValues = toFormValues({});

/** Returns changed fields only, so that other users' changes to other fields stay. An emptied field is cleared. */
export function toInput(before: FormValues, after: FormValues): EditStudyInput {
  const ifChanged = <Value>(name: keyof FormValues, value: Value) =>
    after[name] === before[name] ? undefined : value;
  const lines = after.audiences.split('\n').map((line) => line.trim());
  return {
    description: ifChanged('description', after.description.trim() || null),
    projectId: ifChanged('projectId', after.projectId.trim() || null),
    strategy: ifChanged('strategy', after.strategy || null),
    interviewCount: ifChanged(
      'interviewCount',
      after.interviewCount ? Number(after.interviewCount) : null,
    ),
    audiences: ifChanged('audiences', lines.filter(Boolean)),
  };
}
