import type { StudyProblem } from 'study-gateway-client';
import { evictStudies, useCreateStudyMutation } from 'study-gateway-client/apollo';
import { emptyValues, toInput, type FormValues } from './form-values.ts';
import { createHref, studyHref } from './route.ts';
import { StudyForm } from './study-form.tsx';

interface Props {
  readonly draft: FormValues;
  readonly setDraft: (values: FormValues) => void;
  readonly onStored: (problem: StudyProblem) => void;
}

export function NewStudyPage({ draft, setDraft, onStored }: Props) {
  // Only the Study API knows the place of the new study in the list.
  const [create] = useCreateStudyMutation({ errorPolicy: 'all', update: evictStudies });

  const save = async () => {
    const { data, error } = await create({ variables: { input: toInput(emptyValues, draft) } });
    if (error) return error;
    setDraft(emptyValues);
    // Somebody may have left the page in the meantime.
    const id = location.hash === createHref && data?.createStudy?.id;
    if (id) location.hash = studyHref(id);
    return undefined;
  };

  const leave = (problem: StudyProblem) => {
    setDraft(emptyValues);
    onStored(problem);
  };

  return (
    <>
      <title>New study</title>
      <div className="page-title">
        <h1>New study</h1>
        <p>What do you want to learn, and from whom? Everything can be left open for now.</p>
      </div>
      <StudyForm
        values={draft}
        setValues={setDraft}
        submitLabel="Create study"
        save={save}
        onStored={leave}
      />
    </>
  );
}
