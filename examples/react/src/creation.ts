import { useState } from 'react';
import { evictStudies } from 'study-gateway/client';
import { useCreateStudyMutation } from 'study-gateway/react';
import { useFormState, type FormState } from './form-state.ts';
import { emptyValues, toCreateInput, type FormValues } from './form-values.ts';
import { isOnCreatePage, openStudy } from './route.ts';

export interface Creation {
  readonly form: FormState;
  readonly isSending: boolean;
  /** Why the last submission failed. */
  readonly error: unknown;
  /** How often it was begun. */
  readonly draft: number;
  readonly send: (values: FormValues, idempotencyKey: string) => void;
  readonly startOver: () => void;
}

/** A study that is being made. It outlives its page: somebody may look at the list, and come back to send it again. */
export function useCreation(): Creation {
  const form = useFormState(emptyValues);
  const [draft, setDraft] = useState(0);
  const [create, { loading, error, reset }] = useCreateStudyMutation({
    // Where the new study belongs in a list, the Study API knows.
    update: evictStudies,
    onCompleted: ({ createStudy }) => {
      if (isOnCreatePage()) openStudy(createStudy.id);
      startOver();
    },
  });

  const startOver = () => {
    reset();
    form.setValues(emptyValues);
    form.setAttempt(undefined);
    setDraft((before) => before + 1);
  };

  return {
    form,
    isSending: loading,
    error,
    draft,
    send: (values, idempotencyKey) =>
      void create({ variables: { input: toCreateInput(values), idempotencyKey } }),
    startOver,
  };
}
