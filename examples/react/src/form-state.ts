import { useState } from 'react';
import type { FormValues } from './form-values.ts';

/** A write as it was sent last. */
interface Attempt {
  readonly values: FormValues;
  readonly token: string;
  readonly idempotencyKey: string;
  /** Whether a person has sent it before with the same key. */
  readonly isResent: boolean;
}

/** What is typed, and what was sent of it. */
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
