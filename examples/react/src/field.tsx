import type { ReactNode } from 'react';

/** Properties of a control that connect the control to its label, hint and error message. */
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

/** Shows a control with its label, hint and error messages. */
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
