import { useState, type FormEvent } from 'react';
import { formErrors, studyProblem, type CreateStudyInput } from 'study-gateway-client';
import { useCreateStudyMutation } from 'study-gateway-client/apollo';

const fields = ['description', 'projectId'] as const;

/** A form whose messages stand beside the inputs that the gateway or the Study API has refused. */
export function StudyForm() {
  const [input, setInput] = useState<CreateStudyInput>({});
  const [create, { error, loading }] = useCreateStudyMutation();
  const messages = error ? formErrors(studyProblem(error), fields) : { fields: {}, form: [] };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void create({ variables: { input } });
  };
  const toInput = (name: (typeof fields)[number], label: string) => (
    <label>
      {label}
      <input
        value={input[name] ?? ''}
        // An empty input is no text, and no UUID.
        onChange={({ target }) => setInput({ ...input, [name]: target.value || undefined })}
      />
      <span role="alert">{messages.fields[name]?.join(' ')}</span>
    </label>
  );

  return (
    <form onSubmit={onSubmit}>
      {toInput('description', 'Question')}
      {toInput('projectId', 'Project')}
      <button disabled={loading}>Create</button>
      <p role="alert">{messages.form.join(' ')}</p>
    </form>
  );
}
