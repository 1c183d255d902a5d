import { useEffect, useMemo, useRef, useState, type FormEvent } from 'react';
import { formErrors, studyProblem } from 'study-gateway/client';
import type { FormValues } from './form-values.ts';
import { ProblemFace } from './problem-face.tsx';
import { StudyFields } from './study-fields.tsx';

interface Props {
  readonly initial: FormValues;
  /** Whether it creates a study: some fields cannot be edited later. */
  readonly isNew?: boolean;
  readonly submitLabel: string;
  readonly isSending: boolean;
  /** Why the last submission failed. */
  readonly error: unknown;
  readonly onSubmit: (values: FormValues) => void;
  /** Shows what is stored, where there is a study to look at. */
  readonly onCheck?: () => void;
  /** Begins another study. */
  readonly onStartOver?: () => void;
  readonly onCancel?: () => void;
}

export function StudyForm({ initial, isNew = false, submitLabel, isSending, ...props }: Props) {
  const { error, onSubmit, onCheck, onStartOver, onCancel } = props;
  const [values, setValues] = useState(initial);
  const form = useRef<HTMLFormElement>(null);
  const problem = useMemo(() => (error ? studyProblem(error) : undefined), [error]);
  // Not to be sent again by a stray Enter, and not to be left as if nothing had happened.
  const isSettled = problem?.kind === 'applied' || problem?.kind === 'unknown';

  useEffect(() => {
    if (!problem) return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid]');
    (first ?? form.current?.querySelector<HTMLElement>('[role=alert]'))?.focus();
  }, [problem]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSending && !isSettled) onSubmit(values);
  };

  return (
    <form className="form" ref={form} onSubmit={submit}>
      {problem && (
        <ProblemFace
          problem={problem}
          onRepeat={() => onSubmit(values)}
          onCheck={onCheck}
          onStartOver={onStartOver}
        />
      )}
      <fieldset disabled={problem?.kind === 'applied'}>
        <StudyFields
          values={values}
          isNew={isNew}
          errors={problem ? formErrors(problem).fields : {}}
          onChange={(name, text) => setValues({ ...values, [name]: text })}
        />
      </fieldset>
      <div className="actions">
        {!isSettled && (
          <button className="primary" type="submit" aria-disabled={isSending}>
            {submitLabel}
          </button>
        )}
        {onCancel && !isSending && !isSettled && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <output>{isSending && 'Sending …'}</output>
      </div>
    </form>
  );
}
