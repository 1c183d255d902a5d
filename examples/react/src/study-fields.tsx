import { useState } from 'react';
import type { FormErrors } from 'study-gateway-client';
import { Field } from './field.tsx';
import type { FormValues } from './form-values.ts';
import { toStrategyName, toStrategyOptions } from './strategies.ts';

interface Props {
  readonly values: FormValues;
  readonly isNew: boolean;
  readonly errors: FormErrors['fields'];
  readonly onChange: (name: keyof FormValues, text: string) => void;
}

export function StudyFields({ values, isNew, errors, onChange }: Props) {
  const [strategies] = useState(() => toStrategyOptions(values.strategy));

  /** Returns the properties that connect a control to a field of the form. */
  const bind = (name: keyof FormValues) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => onChange(name, target.value),
  });

  return (
    <>
      <Field name="description" label="Question" errors={errors.description}>
        {(control) => <textarea rows={2} {...control} {...bind('description')} />}
      </Field>
      <Field
        name="projectId"
        label="Project"
        hint="The id of the project that the study belongs to, a UUID."
        errors={errors.projectId}
      >
        {(control) => <input type="text" spellCheck={false} {...control} {...bind('projectId')} />}
      </Field>
      <div className="field-row">
        <Field name="strategy" label="Strategy" errors={errors.strategy}>
          {(control) => (
            <select {...control} {...bind('strategy')}>
              <option value="">Not chosen</option>
              {strategies.map((strategy) => (
                <option key={strategy} value={strategy}>
                  {toStrategyName(strategy)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="interviewCount" label="Interviews" errors={errors.interviewCount}>
          {(control) => (
            <input type="number" min={0} step={1} {...control} {...bind('interviewCount')} />
          )}
        </Field>
      </div>
      <Field name="audiences" label="Audiences" hint="One in each line." errors={errors.audiences}>
        {(control) => <textarea rows={2} {...control} {...bind('audiences')} />}
      </Field>
      {isNew && (
        <Field
          name="problems"
          label="Problems"
          hint="One in each line. They cannot be edited later."
          errors={errors.problems}
        >
          {(control) => <textarea rows={2} {...control} {...bind('problems')} />}
        </Field>
      )}
    </>
  );
}
