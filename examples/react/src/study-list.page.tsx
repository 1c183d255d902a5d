import { NetworkStatus } from '@apollo/client';
import { useState } from 'react';
import type { StudyFieldsFragment } from 'study-gateway-client';
import { useStudiesQuery, useStudyProgress } from 'study-gateway-client/apollo';
import { toName } from './form-values.ts';
import { FailedRead } from './notice.tsx';
import { createHref, studyHref } from './route.ts';
import { Created, Remark, StudyStatus } from './study-status.tsx';

const PAGE_SIZE = 10;

export function StudyListPage() {
  // The query has no `page`, so `studyTypePolicies` join all pages that were read.
  const { data, previousData, error, networkStatus, fetchMore, refetch } = useStudiesQuery({
    variables: { size: PAGE_SIZE },
    errorPolicy: 'all',
    // Shows the cached list at once, and reads its first page again.
    fetchPolicy: 'cache-and-network',
  });
  const isReadingMore = networkStatus === NetworkStatus.fetchMore;
  const [moreError, setMoreError] = useState<unknown>();
  const { items, page, pages, total } = data?.studies ?? previousData?.studies ?? {};
  const number = page ?? 1;
  const count = items?.length ?? 0;
  // A Study API that does not count has more as long as its pages are full.
  const hasMore = pages ? number < pages : count >= number * PAGE_SIZE;

  // One request reads the progress of all rows.
  useStudyProgress(items ?? [], { size: number * PAGE_SIZE });

  const readMore = () =>
    fetchMore({ variables: { page: number + 1 }, errorPolicy: 'all' }).then(
      (more) => setMoreError(more.data?.studies ? undefined : more.error),
      setMoreError,
    );

  return (
    <>
      <title>Studies</title>
      <div className="page-title">
        <h1>Studies</h1>
        {total ? <p>{`${count} of ${total}`}</p> : null}
      </div>
      {items ? (
        <>
          <Remark error={error} />
          {count === 0 ? (
            <div className="empty card">
              <h2>There are no studies yet</h2>
              <a className="button" href={createHref}>
                Create the first one
              </a>
            </div>
          ) : (
            <ul>{items.map(toRow)}</ul>
          )}
          {moreError ? <FailedRead error={moreError} again={readMore} /> : null}
          {hasMore && !moreError && (
            <button type="button" aria-disabled={isReadingMore} onClick={() => void readMore()}>
              {isReadingMore ? 'Reading …' : 'Show more'}
            </button>
          )}
        </>
      ) : error ? (
        <FailedRead error={error} again={refetch} />
      ) : (
        <output className="card">Reading the studies …</output>
      )}
    </>
  );
}

function toRow(study: StudyFieldsFragment | null, index: number) {
  if (!study) return <li key={index}>This study could not be read.</li>;
  return (
    <li key={study.id}>
      <div>
        <a href={studyHref(study.id)}>{study.description ?? 'A study without a question'}</a>
        <p>
          {study.strategy && `${toName(study.strategy)} · `}
          <Created of={study} />
        </p>
      </div>
      <StudyStatus of={study} />
    </li>
  );
}
