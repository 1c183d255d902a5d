import { useState } from 'react';
import type { StudyFieldsFragment } from 'study-gateway-client';
import { useEditStudyMutation } from 'study-gateway-client/react';
import { focusOnMount } from './focus-on-mount.ts';
import { useFormState } from './form-state.ts';
import { toEditInput, toFormValues } from './form-values.ts';
import { StudyForm } from './study-form.tsx';

interface Props {
  readonly study: StudyFieldsFragment;
  readonly onSaved: () => void;
  /** Reads the study again. */
  readonly onCheck: () => void;
  readonly onCancel: () => void;
}

export function EditStudy({ study, onSaved, onCheck, onCancel }: Props) {
  const [edit, { loading, error }] = useEditStudyMutation({ onCompleted: onSaved });
  // The values at the start of editing; the changed fields are found by comparison with these values.
  const [initial] = useState(() => toFormValues(study));
  const state = useFormState(initial);

  return (
    <>
      <h1 tabIndex={-1} ref={focusOnMount}>
        Edit study
      </h1>
      <StudyForm
        state={state}
        submitLabel="Save changes"
        isSending={loading}
        error={error}
        onSubmit={(values, idempotencyKey) =>
          void edit({
            variables: { id: study.id, input: toEditInput(initial, values), idempotencyKey },
          })
        }
        onCheck={onCheck}
        onCancel={onCancel}
      />
    </>
  );
}
