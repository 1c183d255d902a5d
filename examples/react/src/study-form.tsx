import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { formErrors, studyProblem, type StudyProblem } from 'study-gateway-client';
import { formFields, strategies, toName, type FormValues } from './form-values.ts';
import { ProblemNotice } from './notice.tsx';

interface Props {
  readonly values: FormValues;
  readonly setValues: (values: FormValues) => void;
  readonly submitLabel: string;
  /** Label of the button that goes on after a write that is stored although its answer was damaged. */
  readonly appliedLabel: string;
  /** Sends the values. Resolves to the error; `undefined` if the study is stored. */
  readonly save: () => Promise<unknown>;
  /** The outcome is not known, and the write is in the list of unsettled writes. */
  readonly onUnknown: (problem: StudyProblem) => void;
  readonly onApplied: () => void;
  /** For a form that closes. */
  readonly onCancel?: () => void;
}

export function StudyForm({ values, setValues, submitLabel, appliedLabel, ...props }: Props) {
  const { save, onUnknown, onApplied, onCancel } = props;
  const form = useRef<HTMLFormElement>(null);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<StudyProblem>();
  // A strategy that is not documented stays selectable.
  const [stored] = useState(values.strategy);
  const errors = problem ? formErrors(problem, formFields).fields : {};
  const isApplied = problem?.kind === 'applied';

  useEffect(() => {
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    if (problem) (find('[aria-invalid]') ?? find('[role=alert]'))?.focus();
  }, [problem]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || isApplied) return;
    setSending(true);
    setProblem(undefined);
    const error = await save().catch((failure: unknown) => failure);
    setSending(false);
    if (error === undefined) return;
    const failed = studyProblem(error, 'mutation');
    if (failed.kind === 'unknown') onUnknown(failed);
    else setProblem(failed);
  };

  const goOn = () => {
    setProblem(undefined);
    onApplied();
  };

  /** Returns the properties that connect a field to its value and its errors. */
  const bind = (name: keyof FormValues) => ({
    name,
    value: values[name],
    error: errors[name]?.join(' '),
    onChange: (text: string) => setValues({ ...values, [name]: text }),
  });

  return (
    <form className="form" ref={form} onSubmit={(event) => void submit(event)}>
      {problem && (
        <ProblemNotice problem={problem}>
          {(isApplied || (onCancel && problem.code === 'CONFLICT')) && (
            <button type="button" onClick={goOn}>
              {appliedLabel}
            </button>
          )}
        </ProblemNotice>
      )}
      <fieldset className="card" disabled={isApplied}>
        <Field label="Question" rows={2} {...bind('description')} />
        <Field label="Project" hint="The id of the project, a UUID." {...bind('projectId')} />
        <Field label="Strategy" {...bind('strategy')}>
          <option value="">Not chosen</option>
          {[...new Set<string>([...strategies, stored])].filter(Boolean).map((strategy) => (
            <option key={strategy} value={strategy}>
              {toName(strategy)}
            </option>
          ))}
        </Field>
        <Field label="Interviews" type="number" {...bind('interviewCount')} />
        <Field label="Audiences" hint="One in each line." rows={2} {...bind('audiences')} />
      </fieldset>
      <div className="actions">
        {!isApplied && (
          <button className="primary" type="submit" aria-disabled={isSending}>
            {submitLabel}
          </button>
        )}
        {onCancel && !isSending && !isApplied && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <output>{isSending && 'Sending …'}</output>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
  /** Number of lines of a text with several lines. */
  readonly rows?: number;
  readonly type?: 'text' | 'number';
  /** Options to choose from. */
  readonly children?: ReactNode;
}

/** A control with its label, hint and error messages. */
function Field({ name, label, hint, value, error, onChange, rows, type, children }: FieldProps) {
  const hintId = `${name}-hint`;
  const errorId = `${name}-error`;
  const control = {
    id: name,
    name,
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
    'aria-describedby': [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined,
    'aria-invalid': error ? true : undefined,
  };

  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
      {children ? (
        <select {...control}>{children}</select>
      ) : rows ? (
        <textarea rows={rows} {...control} />
      ) : (
        <input type={type ?? 'text'} min={0} spellCheck={false} {...control} />
      )}
      {error && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}
