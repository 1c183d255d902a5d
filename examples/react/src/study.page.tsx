import { useState, type ReactNode } from 'react';
import { studyProblem, type StudyFieldsFragment, type StudyProblem } from 'study-gateway-client';
import { useEditStudyMutation, useStudyProgress, useStudyQuery } from 'study-gateway-client/apollo';
import { toEditInput, toFormValues } from './form-values.ts';
import { ProblemNotice } from './notice.tsx';
import { listHref } from './route.ts';
import { strategyNames } from './strategies.ts';
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

  if (!study && loading) return <output className="empty card">Reading the study …</output>;
  if (!study && error)
    return (
      <>
        <h1>Study</h1>
        <ProblemNotice problem={studyProblem(error, 'query')} title="The study could not be read">
          <button type="button" onClick={() => void refetch()}>
            Read again
          </button>
        </ProblemNotice>
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

  return (
    <>
      <title>{study.description ?? 'Study'}</title>
      <Remark error={error} />
      {isEditing ? (
        <EditStudy
          study={study}
          onClose={close}
          onShow={() => {
            close('This is what is stored now.');
            void refetch();
          }}
          onUnknown={(problem) => {
            close();
            onUnknown(problem);
          }}
        />
      ) : (
        <>
          <StudyView study={study} unread={toUnread(error)} isFocused={message !== undefined} />
          <div className="actions">
            <button type="button" onClick={() => setEditing(true)}>
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
    const input = toEditInput(initial, values);
    const { error } = await edit({ variables: { id: study.id, input } });
    if (!error) onClose('Saved.');
    return error;
  };

  return (
    <>
      <h1 tabIndex={-1} ref={focus}>
        Edit study
      </h1>
      <StudyForm
        values={values}
        setValues={setValues}
        submitLabel="Save changes"
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
  const show = (name: keyof StudyFieldsFragment, value: ReactNode) => {
    const absent = unread.has(name) ? 'It could not be read.' : 'None';
    return value || <span className="none">{absent}</span>;
  };

  return (
    <>
      <div className="page-title">
        <p className="meta">
          <Status of={study} />
          <Created at={study.createdAt} />
        </p>
        <h1 tabIndex={-1} ref={isFocused ? focus : undefined}>
          {study.description ?? 'A study without a question'}
        </h1>
      </div>
      <Progress of={study} />
      <dl className="facts card">
        <dt>Strategy</dt>
        <dd>
          {show(
            'strategy',
            study.strategy && (strategyNames.get(study.strategy) ?? study.strategy),
          )}
        </dd>
        <dt>Interviews</dt>
        <dd>{show('interviewCount', study.interviewCount?.toString())}</dd>
        <dt>Audiences</dt>
        <dd>{show('audiences', study.audiences?.join(', '))}</dd>
        <dt>Project</dt>
        <dd>{show('projectId', study.projectId && <code>{study.projectId}</code>)}</dd>
      </dl>
    </>
  );
}

/** Focuses an element when it appears. Use as the `ref` of an element that replaces the focused element. */
function focus(element: HTMLElement | null): void {
  element?.focus();
}
