import { useState } from 'react';
import type { StudyFieldsFragment } from 'study-gateway-client';
import { useEditStudyMutation } from 'study-gateway-client/apollo';
import { focusOnMount } from './focus-on-mount.ts';
import { toEditInput, toFormValues } from './form-values.ts';
import { StudyForm } from './study-form.tsx';
import { useUnsettled } from './unsettled.ts';

interface Props {
  readonly study: StudyFieldsFragment;
  readonly onSaved: () => void;
  /** Reads the study again, and shows it. Resolves to whether the study could be read. */
  readonly onCheck: () => Promise<boolean>;
  readonly onCancel: () => void;
}

export function EditStudy({ study, onSaved, onCheck, onCancel }: Props) {
  const [edit, { loading, error }] = useEditStudyMutation({ onCompleted: onSaved });
  // The values at the start of editing; the changed fields are found by comparison with these values.
  const [initial] = useState(() => toFormValues(study));
  const [values, setValues] = useState(initial);
  const variables = { id: study.id, input: toEditInput(initial, values) };
  const { write } = useUnsettled(study.id, variables.input);
  // Somebody who has seen what is stored may send the change as a new write.
  const check = async () => {
    if (await onCheck()) write?.forget();
  };

  return (
    <>
      <h1 tabIndex={-1} ref={focusOnMount}>
        Edit study
      </h1>
      <StudyForm
        values={values}
        setValues={setValues}
        operationName="EditStudy"
        submitLabel="Save changes"
        isSending={loading}
        error={error}
        write={write}
        onSubmit={() => void edit({ variables })}
        onCheck={() => void check()}
        onCancel={onCancel}
      />
    </>
  );
}
