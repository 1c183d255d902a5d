import type {
  EditStudyInput,
  FormField,
  KnownStudyStrategy,
  StudyFieldsFragment,
} from 'study-gateway-client';

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
  const all = {
    description: after.description.trim() || null,
    projectId: after.projectId.trim() || null,
    strategy: after.strategy || null,
    interviewCount: after.interviewCount ? Number(after.interviewCount) : null,
    audiences: after.audiences.split('\n').flatMap((line) => line.trim() || []),
  } satisfies EditStudyInput;
  const changed = formFields.filter((name) => after[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, all[name]]));
}

/** The documented strategies. The Study API may have others. */
export const strategies: readonly KnownStudyStrategy[] = [
  'problem_exploration',
  'solution_feedback',
  'concept_study',
  'dynamic_interview',
  'ethnographic_research',
  'custom_script',
];

/** The name of a strategy for users. */
export function toName(strategy: string): string {
  return strategy.slice(0, 1).toUpperCase() + strategy.slice(1).replaceAll('_', ' ');
}
