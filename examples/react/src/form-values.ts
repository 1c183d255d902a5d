import type {
  CreateStudyInput,
  EditStudyInput,
  FormField,
  StudyFieldsFragment,
} from 'study-gateway-client';

/** Values of an empty form. The form controls hold all values as text; a list has one line for each item. */
export const emptyValues = {
  description: '',
  projectId: '',
  strategy: '',
  audiences: '',
  interviewCount: '',
} satisfies { readonly [Field in FormField]?: string };

export const formFields = [
  'description',
  'projectId',
  'strategy',
  'audiences',
  'interviewCount',
] as const satisfies readonly FormField[];

export type FormValues = Readonly<typeof emptyValues>;

/** A field that could not be read is empty, and is not sent unless somebody fills it in. */
export function toFormValues(study: StudyFieldsFragment): FormValues {
  return {
    description: study.description ?? '',
    projectId: study.projectId ?? '',
    strategy: study.strategy ?? '',
    audiences: study.audiences?.join('\n') ?? '',
    interviewCount: study.interviewCount?.toString() ?? '',
  };
}

/** Returns the input of `createStudy` with the fields that a user has filled in, and omits empty fields. */
export function toCreateInput(values: FormValues): CreateStudyInput {
  return toEditInput(emptyValues, values);
}

/** Returns the input of `editStudy` with changed fields only, so that other users' changes to other fields stay. */
export function toEditInput(before: FormValues, after: FormValues): EditStudyInput {
  const ifChanged = <Value>(name: keyof FormValues, convert: (text: string) => Value) =>
    after[name] === before[name] ? undefined : convert(after[name]);
  return {
    description: ifChanged('description', toText),
    projectId: ifChanged('projectId', toText),
    strategy: ifChanged('strategy', toText),
    audiences: ifChanged('audiences', toLines),
    interviewCount: ifChanged('interviewCount', toNumber),
  };
}

/** Converts an empty text to `null`, which clears a field: an empty text would be sent as a value. */
function toText(text: string): string | null {
  return text.trim() || null;
}

function toLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function toNumber(text: string): number | null {
  return text === '' ? null : Number(text);
}
