import { useState } from 'react';
import { evictStudies, type UnsettledWrite } from 'study-gateway-client';
import { useCreateStudyMutation } from 'study-gateway-client/apollo';
import { emptyValues, toCreateInput, type FormValues } from './form-values.ts';
import { isOnCreatePage, openStudy } from './route.ts';
import { useUnsettled } from './unsettled.ts';

export interface Creation {
  readonly values: FormValues;
  readonly setValues: (values: FormValues) => void;
  readonly isSending: boolean;
  /** Error of the last submission. */
  readonly error: unknown;
  /** The unsettled write with these values. */
  readonly write: UnsettledWrite | undefined;
  /** Other unsettled writes, of this tab or another. */
  readonly others: readonly UnsettledWrite[];
  /** Number of restarts of the form. As the `key`, it makes React replace the form by an empty one. */
  readonly draft: number;
  readonly send: () => void;
  readonly startOver: () => void;
}

/** Holds the form of a new study above its page, so that users can look at the list and come back to send the form again. */
export function useCreation(): Creation {
  const [values, setValues] = useState(emptyValues);
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
    setValues(emptyValues);
    setDraft((before) => before + 1);
  };

  const variables = { input: toCreateInput(values) };
  const { write, others } = useUnsettled(undefined, variables.input);
  return {
    values,
    setValues,
    isSending: loading,
    error,
    write,
    others,
    draft,
    send: () => void create({ variables }),
    startOver,
  };
}
