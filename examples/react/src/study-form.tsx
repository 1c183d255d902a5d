import { useState, type FormEvent, type ReactNode } from 'react';
import { formErrors, studyProblem, type StudyProblem } from 'study-gateway-client';
import { formFields, strategies, toName, type FormValues } from './form-values.ts';
import { ProblemNotice } from './notice.tsx';

interface Props {
  readonly values: FormValues;
  readonly setValues: (values: FormValues) => void;
  readonly submitLabel: string;
  /** Sends the values. Resolves to the error; `undefined` if the study is stored. */
  readonly save: () => Promise<unknown>;
  /** The study is, or may be, stored although there was an error: the form has nothing left to send. */
  readonly onStored: (problem: StudyProblem) => void;
  /** For a form that closes. */
  readonly onCancel?: () => void;
}

export function StudyForm({ values, setValues, submitLabel, save, onStored, onCancel }: Props) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<StudyProblem>();
  const errors = problem ? formErrors(problem, formFields).fields : {};

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    setProblem(undefined);
    const error = await save().catch((failure: unknown) => failure);
    setSending(false);
    if (error === undefined) return;
    const failed = studyProblem(error, 'mutation');
    if (failed.kind === 'unknown' || failed.kind === 'applied') onStored(failed);
    else setProblem(failed);
  };

  /** Returns the properties that connect a field to its value and its errors. */
  const bind = (name: keyof FormValues) => ({
    name,
    value: values[name],
    error: errors[name]?.join(' '),
    onChange: (text: string) => setValues({ ...values, [name]: text }),
  });

  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <form className="card" onSubmit={(event) => void submit(event)}>
        <Field label="Question" rows={2} {...bind('description')} />
        <Field label="Strategy" {...bind('strategy')}>
          <option value="">Not chosen</option>
          {/* A strategy that is not documented is there as long as it is chosen. */}
          {[...new Set([...strategies, values.strategy])].filter(Boolean).map((strategy) => (
            <option key={strategy} value={strategy}>
              {toName(strategy)}
            </option>
          ))}
        </Field>
        <Field label="Interviews" type="number" {...bind('interviewCount')} />
        <Field label="Project, its UUID" {...bind('projectId')} />
        <Field label="Audiences, one per line" rows={2} {...bind('audiences')} />
        <div className="actions">
          <button className="primary" type="submit" aria-disabled={isSending}>
            {submitLabel}
          </button>
          {onCancel && !isSending && (
            <button type="button" onClick={onCancel}>
              Cancel
            </button>
          )}
          <output>{isSending && 'Sending …'}</output>
        </div>
      </form>
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
  /** Number of lines of a text with several lines. */
  readonly rows?: number;
  readonly type?: 'text' | 'number';
  /** Options to choose from. */
  readonly children?: ReactNode;
}

/** A control with its label and error messages. */
function Field({ name, label, value, error, onChange, rows, type, children }: FieldProps) {
  const errorId = `${name}-error`;
  const control = {
    id: name,
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
    'aria-describedby': error && errorId,
    'aria-invalid': error ? true : undefined,
  };

  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {children ? (
        <select {...control}>{children}</select>
      ) : rows ? (
        <textarea rows={rows} {...control} />
      ) : (
        <input type={type ?? 'text'} min={0} {...control} />
      )}
      {error && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}
