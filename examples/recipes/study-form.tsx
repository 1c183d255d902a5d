import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useForm } from 'react-hook-form';
import { formErrors, studyProblem, type CreateStudyInput } from 'study-gateway-client';
import { createStudySchema } from 'study-gateway-client/forms';
import { useCreateStudyMutation } from 'study-gateway-client/react';

export function StudyForm() {
  const [create] = useCreateStudyMutation({ idempotent: true });
  const form = useForm<CreateStudyInput>({ resolver: standardSchemaResolver(createStudySchema) });
  const { errors } = form.formState;
  // An empty input is no text, and no UUID.
  const optional = { setValueAs: (text: string) => text || undefined };

  const onSubmit = form.handleSubmit(async (input) => {
    try {
      await create({ variables: { input } });
    } catch (error) {
      const { fields, form: others } = formErrors(studyProblem(error));
      form.setError('root', { message: others.join(' ') });
      if (fields.description)
        form.setError('description', { message: fields.description[0] ?? '' });
      if (fields.projectId) form.setError('projectId', { message: fields.projectId[0] ?? '' });
    }
  });

  return (
    <form onSubmit={onSubmit}>
      <input placeholder="Question" {...form.register('description', optional)} />
      <p role="alert">{errors.description?.message}</p>
      <input placeholder="Project" {...form.register('projectId', optional)} />
      <p role="alert">{errors.projectId?.message}</p>
      <button>Create</button>
      <p role="alert">{errors.root?.message}</p>
    </form>
  );
}
