import { Fragment, useState } from 'react';
import type { StudyFieldsFragment, StudyProblem } from 'study-gateway-client';
import { useEditStudyMutation, useStudyProgress, useStudyQuery } from 'study-gateway-client/apollo';
import { toFormValues, toInput, toName } from './form-values.ts';
import { FailedRead } from './notice.tsx';
import { listHref } from './route.ts';
import { StudyForm } from './study-form.tsx';
import { Created, Progress, Remark, Status, toUnread } from './study-status.tsx';

interface Props {
  readonly id: string;
  readonly onUnknown: (problem: StudyProblem) => void;
}

export function StudyPage({ id, onUnknown }: Props) {
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

  if (!study && loading) return <output className="card">Reading the study …</output>;
  if (!study && error)
    return (
      <>
        <h1>Study</h1>
        <FailedRead error={error} title="The study could not be read" again={refetch} />
      </>
    );
  if (!study)
    return (
      <div className="page-title">
        <title>No such study</title>
        <h1>No such study</h1>
        <p>
          There is no study <code>{id}</code>, or it is not one of yours.{' '}
          <a href={listHref}>Show all studies</a>
        </p>
      </div>
    );

  const close = (text?: string) => {
    setEditing(false);
    setMessage(text);
  };
  const showStored = () => {
    close('This is what is stored now.');
    void refetch();
  };
  const leave = (problem: StudyProblem) => {
    close();
    onUnknown(problem);
  };

  if (isEditing)
    return <EditStudy study={study} onClose={close} onShow={showStored} onUnknown={leave} />;
  return (
    <>
      <title>{study.description ?? 'Study'}</title>
      <Remark error={error} />
      <StudyView study={study} unread={toUnread(error)} isFocused={message !== undefined} />
      <div className="actions">
        <button type="button" onClick={() => setEditing(true)}>
          Edit
        </button>
        <output>{message}</output>
      </div>
    </>
  );
}

interface EditProps {
  readonly study: StudyFieldsFragment;
  /** Closes the form with a message. */
  readonly onClose: (text: string) => void;
  /** Closes the form, and reads what is stored. */
  readonly onShow: () => void;
  readonly onUnknown: (problem: StudyProblem) => void;
}

function EditStudy({ study, onClose, onShow, onUnknown }: EditProps) {
  const [edit] = useEditStudyMutation({ errorPolicy: 'all' });
  // The values at the start of editing; the changed fields are found by comparison with these values.
  const [initial] = useState(() => toFormValues(study));
  const [values, setValues] = useState(initial);

  const save = async () => {
    const { error } = await edit({ variables: { id: study.id, input: toInput(initial, values) } });
    if (!error) onClose('Saved.');
    return error;
  };

  return (
    <>
      <title>Edit study</title>
      <h1 tabIndex={-1} ref={focus}>
        Edit study
      </h1>
      <StudyForm
        values={values}
        setValues={setValues}
        submitLabel="Save changes"
        appliedLabel="Show what is stored"
        save={save}
        onUnknown={onUnknown}
        onApplied={onShow}
        onCancel={() => onClose('')}
      />
    </>
  );
}

interface ViewProps {
  readonly study: StudyFieldsFragment;
  /** Names of the fields that could not be read. */
  readonly unread: ReadonlySet<unknown>;
  /** Whether the heading takes the focus when it appears. */
  readonly isFocused: boolean;
}

function StudyView({ study, unread, isFocused }: ViewProps) {
  const facts = {
    strategy: ['Strategy', study.strategy && toName(study.strategy)],
    interviewCount: ['Interviews', study.interviewCount?.toString()],
    audiences: ['Audiences', study.audiences?.join(', ')],
    projectId: ['Project', study.projectId],
  };

  return (
    <>
      <div className="page-title">
        <p className="meta">
          <Status of={study} />
          <Created of={study} />
        </p>
        <h1 tabIndex={-1} ref={isFocused ? focus : undefined}>
          {study.description ?? 'A study without a question'}
        </h1>
      </div>
      <Progress of={study} />
      <dl className="facts card">
        {Object.entries(facts).map(([name, [label, value]]) => (
          <Fragment key={name}>
            <dt>{label}</dt>
            <dd>{value || (unread.has(name) ? 'It could not be read.' : 'None')}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}

/** Focuses an element when it appears. Use as the `ref` of an element that replaces the focused element. */
function focus(element: HTMLElement | null): void {
  element?.focus();
}
