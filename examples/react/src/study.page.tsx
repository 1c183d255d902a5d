import { useState } from 'react';
import type { StudyFieldsFragment, StudyProblem } from 'study-gateway-client';
import { useEditStudyMutation, useStudyProgress, useStudyQuery } from 'study-gateway-client/apollo';
import { toFormValues, toInput, toName } from './form-values.ts';
import { FailedRead, focus } from './notice.tsx';
import { listHref } from './route.ts';
import { StudyForm } from './study-form.tsx';
import { Created, Remark, StudyStatus, toUnread } from './study-status.tsx';

interface Props {
  readonly id: string;
  readonly onStored: (problem: StudyProblem) => void;
}

export function StudyPage({ id, onStored }: Props) {
  const { data, previousData, loading, error, refetch } = useStudyQuery({
    variables: { id },
    errorPolicy: 'all',
    // Shows the cached study at once, and reads it again: the cache does not tell a `null` of the study from a broken field.
    fetchPolicy: 'cache-and-network',
  });
  const [isEditing, setEditing] = useState(false);
  const [message, setMessage] = useState<string>();
  // Keeps the old study if a refetch fails, and with the study the form that a user may be filling in.
  const study = (data ?? previousData)?.study;
  useStudyProgress(study);

  if (!study)
    return (
      <div className="page-title">
        <title>Study</title>
        <h1>Study</h1>
        {loading ? (
          <output>Reading …</output>
        ) : error ? (
          <FailedRead error={error} again={refetch} />
        ) : (
          <p>
            There is no study {id}, or it is not one of yours. <a href={listHref}>Show all</a>
          </p>
        )}
      </div>
    );

  /** Closes the form, and shows what is stored. Without a text, a notice takes the focus. */
  const close = (text?: string) => {
    setEditing(false);
    setMessage(text);
    void refetch();
  };
  const title = study.description ?? 'A study without a question';
  const facts = {
    strategy: ['Strategy', study.strategy && toName(study.strategy)],
    interviewCount: ['Interviews', study.interviewCount?.toString()],
    audiences: ['Audiences', study.audiences?.join(', ')],
    projectId: ['Project', study.projectId],
  };
  const unread = toUnread(error);

  return (
    <>
      <title>{title}</title>
      <Remark error={error} />
      <div className="page-title">
        <h1>{title}</h1>
        <Created of={study} />
        <StudyStatus of={study} />
      </div>
      {isEditing ? (
        <EditStudy study={study} onClose={close} onStored={onStored} />
      ) : (
        <>
          <dl className="card">
            {Object.entries(facts).map(([name, [label, value]]) => (
              <div key={name}>
                <dt>{label}</dt>
                <dd>{value || (unread.has(name) ? 'It could not be read.' : 'None')}</dd>
              </div>
            ))}
          </dl>
          <div className="actions">
            <button
              type="button"
              ref={message === undefined ? undefined : focus}
              onClick={() => setEditing(true)}
            >
              Edit
            </button>
            <output>{message}</output>
          </div>
        </>
      )}
    </>
  );
}

interface EditProps {
  readonly study: StudyFieldsFragment;
  /** Closes the form with a message. */
  readonly onClose: (text?: string) => void;
  readonly onStored: (problem: StudyProblem) => void;
}

function EditStudy({ study, onClose, onStored }: EditProps) {
  const [edit] = useEditStudyMutation({ errorPolicy: 'all' });
  // The values at the start of editing; the changed fields are found by comparison with these values.
  const [initial] = useState(() => toFormValues(study));
  const [values, setValues] = useState(initial);

  const save = async () => {
    const { error } = await edit({ variables: { id: study.id, input: toInput(initial, values) } });
    if (!error) onClose('Saved.');
    return error;
  };
  const leave = (problem: StudyProblem) => {
    onClose();
    onStored(problem);
  };

  return (
    <section aria-label="Edit study" tabIndex={-1} ref={focus}>
      <StudyForm
        values={values}
        setValues={setValues}
        submitLabel="Save changes"
        save={save}
        onStored={leave}
        onCancel={() => onClose('')}
      />
    </section>
  );
}
