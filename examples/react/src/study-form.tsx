import { useEffect, useMemo, useRef, type FormEvent } from 'react';
import { formErrors, studyProblem, type UnsettledWrite } from 'study-gateway-client';
import type { FormValues } from './form-values.ts';
import { ProblemFace } from './problem-face.tsx';
import { RetryFace } from './retry-face.tsx';
import { useRetryWait } from './retry-wait.ts';
import { StudyFields } from './study-fields.tsx';
import { UnknownFace } from './unknown-face.tsx';

interface Props {
  readonly values: FormValues;
  readonly setValues: (values: FormValues) => void;
  /** Whether the form creates a study. If not, fields that cannot be edited are left out. */
  readonly isNew?: boolean;
  /** Name of the mutation, whose automatic retries the form shows. */
  readonly operationName: string;
  readonly submitLabel: string;
  readonly isSending: boolean;
  /** Error of the last submission. */
  readonly error: unknown;
  /** The unsettled write with these values, which this page, an earlier one or another tab has sent. */
  readonly write: UnsettledWrite | undefined;
  /** Sends the values: with the key of the unsettled write, or else as a new write. */
  readonly onSubmit: () => void;
  /** Shows the stored study; `undefined` if the write creates a study. */
  readonly onCheck?: () => void;
  /** Empties the form to create another study. */
  readonly onStartOver?: () => void;
  readonly onCancel?: () => void;
}

export function StudyForm({ values, setValues, isNew = false, isSending, ...props }: Props) {
  const { operationName, submitLabel, error, write, onSubmit, ...actions } = props;
  const { onCheck, onStartOver, onCancel } = actions;
  const wait = useRetryWait(operationName);
  const form = useRef<HTMLFormElement>(null);
  const problem = useMemo(() => (error ? studyProblem(error) : undefined), [error]);
  const isUnsettled = write !== undefined;
  // Hides the buttons to submit and to cancel: the study was, or may have been, stored.
  const isSettled = isUnsettled || problem?.kind === 'applied' || problem?.kind === 'unknown';

  // The face that tells the outcome: a repeat that was refused leaves an earlier try unknown.
  const face = write ? 'unknown' : problem?.kind;

  useEffect(() => {
    if (!problem || !face) return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid]');
    (first ?? form.current?.querySelector<HTMLElement>('[role=alert]'))?.focus();
  }, [problem, face]);

  const send = () => {
    if (!isSending) onSubmit();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSettled) send();
  };

  return (
    <form className="form" ref={form} onSubmit={submit}>
      {isSending && wait && <RetryFace wait={wait} />}
      {problem && (
        <ProblemFace
          problem={problem}
          onRepeat={send}
          write={write}
          onCheck={onCheck}
          onStartOver={onStartOver}
        />
      )}
      {!problem && isUnsettled && (
        <UnknownFace write={write} onSend={send} onCheck={onCheck} onStartOver={onStartOver} />
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
