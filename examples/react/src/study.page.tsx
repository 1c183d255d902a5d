import { CombinedGraphQLErrors } from '@apollo/client';
import { useState } from 'react';
import { studyProblem } from 'study-gateway-client';
import { useStudyQuery } from 'study-gateway-client/apollo';
import { EditStudy } from './edit-study.tsx';
import { ProblemFace } from './problem-face.tsx';
import { RetryFace } from './retry-face.tsx';
import { useRetryWait } from './retry-wait.ts';
import { listHref } from './route.ts';
import { StudyView } from './study-view.tsx';

export function StudyPage({ id }: { readonly id: string }) {
  const { data, previousData, loading, error, refetch } = useStudyQuery({
    variables: { id },
    // Shows the cached study at once, and reads it again: the cache does not tell a `null` of the study from a broken field.
    fetchPolicy: 'cache-and-network',
  });
  const wait = useRetryWait(id);
  const [isEditing, setEditing] = useState(false);
  const [notice, setNotice] = useState<string>();
  // Keeps the old study if a refetch fails, and with the study the form that a user may be filling in.
  const study = (data ?? previousData)?.study;

  const unread = toUnreadFields(error);

  const showStored = (text: string) => {
    setEditing(false);
    setNotice(text);
  };
  const check = () =>
    refetch().then(
      ({ data }) => {
        if (data?.study) showStored('This is what is stored now.');
        return Boolean(data?.study);
      },
      // Ignored here: `error` has the failure.
      () => false,
    );

  if (loading && !study)
    return wait ? <RetryFace wait={wait} /> : <output>Reading the study …</output>;
  if (error && !study)
    return (
      <>
        <title>Study</title>
        <h1>Study</h1>
        <ProblemFace problem={studyProblem(error, 'query')} onRepeat={() => void refetch()} />
      </>
    );
  if (!study) return <NoStudy id={id} />;
  return (
    <>
      <title>{study.description ?? 'Study'}</title>
      {error && (
        <p className="note" role="alert">
          {unread.size > 0
            ? 'Something about this study could not be read. You see the rest.'
            : 'The study could not be read again just now. What you see may be old.'}
        </p>
      )}
      {isEditing ? (
        <EditStudy
          study={study}
          onSaved={() => showStored('Saved.')}
          onCheck={check}
          onCancel={() => showStored('')}
        />
      ) : (
        <StudyView study={study} unread={unread} notice={notice} onEdit={() => setEditing(true)} />
      )}
    </>
  );
}

/** Names of the fields that are `null` beside an error of their own. */
function toUnreadFields(error: unknown): ReadonlySet<unknown> {
  const errors = CombinedGraphQLErrors.is(error) ? error.errors : [];
  return new Set(errors.flatMap(({ path }) => path?.[1] ?? []));
}

function NoStudy({ id }: { readonly id: string }) {
  return (
    <>
      <title>No such study</title>
      <h1>No such study</h1>
      <p>
        There is no study <code>{id}</code>, or it is not one of yours.
      </p>
      <p>
        <a href={listHref}>Show all studies</a>
      </p>
    </>
  );
}
