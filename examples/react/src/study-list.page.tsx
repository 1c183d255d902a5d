import { useEffect, useRef } from 'react';
import { studyProblem } from 'study-gateway-client';
import { ProblemFace } from './problem-face.tsx';
import { RetryFace } from './retry-face.tsx';
import { useRetryWait } from './retry-wait.ts';
import { createHref } from './route.ts';
import { StudyRow } from './study-row.tsx';
import { useStudyList } from './study-list.ts';

export function StudyListPage() {
  const list = useStudyList();
  const wait = useRetryWait('StudyList');
  const rows = useRef<HTMLUListElement>(null);
  const firstNewRow = useRef(Infinity);
  const count = list.items?.length ?? 0;

  // Moves the focus to the first new study: the button has moved down, or is gone.
  useEffect(() => {
    if (count <= firstNewRow.current) return;
    rows.current?.children[firstNewRow.current]?.querySelector('a')?.focus();
    firstNewRow.current = Infinity;
  }, [count]);

  const readMore = () => {
    firstNewRow.current = count;
    list.readMore();
  };

  const retry = wait && <RetryFace wait={wait} />;

  return (
    <>
      <title>Studies</title>
      <h1>Studies</h1>
      {!list.isReadingMore && retry}
      {list.items ? (
        <>
          {list.note && (
            <p className="note" role="alert">
              {list.note}
            </p>
          )}
          {count === 0 && (
            <p className="lead">
              There are no studies yet. <a href={createHref}>Create the first one</a>.
            </p>
          )}
          <ul className="studies" ref={rows} hidden={count === 0}>
            {list.items.map((study, index) => (
              <StudyRow key={study?.id ?? index} study={study} />
            ))}
          </ul>
          {Boolean(list.moreError) && (
            <ProblemFace
              problem={studyProblem(list.moreError, 'query')}
              unreadTitle="The next studies could not be read"
              onRepeat={readMore}
            />
          )}
          {list.isReadingMore && retry}
          <div className="actions">
            {list.hasMore && !list.moreError && (
              <button type="button" aria-disabled={list.isReadingMore} onClick={readMore}>
                Show more
              </button>
            )}
            <output>{list.isReadingMore ? 'Reading …' : list.summary}</output>
          </div>
        </>
      ) : list.error ? (
        <ProblemFace
          problem={studyProblem(list.error, 'query')}
          unreadTitle="The studies could not be read"
          onRepeat={list.readAgain}
        />
      ) : (
        !retry && <output>Reading the studies …</output>
      )}
    </>
  );
}
