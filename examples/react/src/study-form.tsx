import { useEffect, useMemo, useRef, type FormEvent } from 'react';
import { formErrors, newIdempotencyKey, studyProblem } from 'study-gateway-client';
import type { FormState } from './form-state.ts';
import type { FormValues } from './form-values.ts';
import { ProblemFace } from './problem-face.tsx';
import { RetryFace } from './retry-face.tsx';
import { useRetryWait } from './retry-wait.ts';
import { StudyFields } from './study-fields.tsx';
import { useToken } from './token.ts';

interface Props {
  readonly state: FormState;
  /** Whether the form creates a study. If not, fields that cannot be edited are left out. */
  readonly isNew?: boolean;
  readonly submitLabel: string;
  readonly isSending: boolean;
  /** Error of the last submission. */
  readonly error: unknown;
  readonly onSubmit: (values: FormValues, idempotencyKey: string) => void;
  /** Shows the stored study; `undefined` if the write creates a study. */
  readonly onCheck?: () => void;
  /** Empties the form to create another study. */
  readonly onStartOver?: () => void;
  readonly onCancel?: () => void;
}

export function StudyForm({ state, isNew = false, submitLabel, isSending, ...props }: Props) {
  const { error, onSubmit, onCheck, onStartOver, onCancel } = props;
  const { values, setValues, attempt, setAttempt } = state;
  const token = useToken();
  const wait = useRetryWait(attempt?.idempotencyKey);
  const form = useRef<HTMLFormElement>(null);
  const problem = useMemo(() => (error ? studyProblem(error) : undefined), [error]);
  // Hides the buttons to submit and to cancel: the study was, or may have been, stored.
  const isSettled = problem?.kind === 'applied' || problem?.kind === 'unknown';

  useEffect(() => {
    if (!problem) return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid]');
    (first ?? form.current?.querySelector<HTMLElement>('[role=alert]'))?.focus();
  }, [problem]);

  const send = (idempotencyKey: string, isResent: boolean) => {
    if (isSending) return;
    setAttempt({ values, token, idempotencyKey, isResent });
    onSubmit(values, idempotencyKey);
  };
  /** Each submission by a user is a new write with a new key. */
  const sendNew = () => send(newIdempotencyKey(), false);
  // The gateway treats a submission as a retry only if the key, the values and the caller are the same.
  const resend =
    attempt?.values === values && attempt.token === token
      ? { isDone: attempt.isResent, onResend: () => send(attempt.idempotencyKey, true) }
      : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSettled) sendNew();
  };

  return (
    <form className="form" ref={form} onSubmit={submit}>
      {isSending && wait && <RetryFace wait={wait} />}
      {problem && (
        <ProblemFace
          problem={problem}
          onRepeat={sendNew}
          resend={resend}
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
