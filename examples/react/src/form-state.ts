import { useState } from 'react';
import type { FormValues } from './form-values.ts';

/** The last submission of the form. */
interface Attempt {
  readonly values: FormValues;
  readonly token: string;
  readonly idempotencyKey: string;
  /** Whether the user has sent the same write with the same key before. */
  readonly isResent: boolean;
}

/** The values of a form and its last submission. */
export interface FormState {
  readonly values: FormValues;
  readonly setValues: (values: FormValues) => void;
  readonly attempt: Attempt | undefined;
  readonly setAttempt: (attempt: Attempt | undefined) => void;
}

export function useFormState(initial: FormValues): FormState {
  const [values, setValues] = useState(initial);
  const [attempt, setAttempt] = useState<Attempt>();
  return { values, setValues, attempt, setAttempt };
}
