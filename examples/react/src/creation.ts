import { useState } from 'react';
import { evictStudies } from 'study-gateway-client';
import { useCreateStudyMutation } from 'study-gateway-client/react';
import { useFormState, type FormState } from './form-state.ts';
import { emptyValues, toCreateInput, type FormValues } from './form-values.ts';
import { isOnCreatePage, openStudy } from './route.ts';

export interface Creation {
  readonly form: FormState;
  readonly isSending: boolean;
  /** Error of the last submission. */
  readonly error: unknown;
  /** Number of restarts of the form. As the `key`, it makes React replace the form by an empty one. */
  readonly draft: number;
  readonly send: (values: FormValues, idempotencyKey: string) => void;
  readonly startOver: () => void;
}

/** Holds the form of a new study above its page, so that users can look at the list and come back to send the form again. */
export function useCreation(): Creation {
  const form = useFormState(emptyValues);
  const [draft, setDraft] = useState(0);
  const [create, { loading, error, reset }] = useCreateStudyMutation({
    // Only the Study API knows the place of the new study in the list.
    update: evictStudies,
    // Not called beside an error: then the form says what became of the study.
    onCompleted: ({ createStudy }) => {
      if (createStudy && isOnCreatePage()) openStudy(createStudy.id);
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
