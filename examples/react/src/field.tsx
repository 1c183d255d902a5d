import type { ReactNode } from 'react';

/** What a control needs in order to be labelled, described and marked. */
interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface Props {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly errors?: readonly string[] | undefined;
  readonly children: (control: ControlProps) => ReactNode;
}

/** A control with its label, its hint and what is wrong with it. */
export function Field({ name, label, hint, errors, children }: Props) {
  const hintId = hint ? `${name}-hint` : undefined;
  const errorId = errors ? `${name}-error` : undefined;

  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {hint && (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      )}
      {children({
        id: name,
        name,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': errorId ? true : undefined,
      })}
      {errorId && (
        <p className="field-error" id={errorId}>
          {errors?.join(' ')}
        </p>
      )}
    </div>
  );
}
