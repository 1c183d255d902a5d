import { useState } from 'react';
import type { StudyFieldsFragment } from 'study-gateway-client';
import { useStudiesQuery, useStudyProgress } from 'study-gateway-client/apollo';
import { toName } from './form-values.ts';
import { FailedRead } from './notice.tsx';
import { createHref, studyHref } from './route.ts';
import { Created, Progress, Remark, Status } from './study-status.tsx';

const PAGE_SIZE = 10;

export function StudyListPage() {
  // The query has no `page`, so `studyTypePolicies` join all pages that were read.
  const { data, previousData, error, fetchMore, refetch } = useStudiesQuery({
    variables: { size: PAGE_SIZE },
    errorPolicy: 'all',
    // Shows the cached list at once, and reads its first page again.
    fetchPolicy: 'cache-and-network',
  });
  const [isReadingMore, setReadingMore] = useState(false);
  const [moreError, setMoreError] = useState<unknown>();
  const { items, page, pages, total } = data?.studies ?? previousData?.studies ?? {};
  const number = page ?? 1;
  const count = items?.length ?? 0;
  // A Study API that does not count has more as long as its pages are full.
  const hasMore = pages ? number < pages : count >= number * PAGE_SIZE;

  // One request reads the progress of all rows.
  useStudyProgress(items ?? [], { size: number * PAGE_SIZE });

  const readMore = async () => {
    if (isReadingMore) return;
    setReadingMore(true);
    setMoreError(undefined);
    const more = await fetchMore({ variables: { page: number + 1 }, errorPolicy: 'all' }).catch(
      (failure: unknown) => ({ data: undefined, error: failure }),
    );
    if (!more.data?.studies) setMoreError(more.error);
    setReadingMore(false);
  };

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
            <div className="page-title card">
              <h2>There are no studies yet</h2>
              <a href={createHref}>Create the first one</a>
            </div>
          ) : (
            <ul className="rows">{items.map(toRow)}</ul>
          )}
          {moreError ? (
            <FailedRead
              error={moreError}
              title="The next studies could not be read"
              again={readMore}
            />
          ) : (
            hasMore && (
              <button type="button" aria-disabled={isReadingMore} onClick={() => void readMore()}>
                {isReadingMore ? 'Reading …' : 'Show more'}
              </button>
            )
          )}
        </>
      ) : error ? (
        <FailedRead error={error} title="The studies could not be read" again={refetch} />
      ) : (
        <output className="card">Reading the studies …</output>
      )}
    </>
  );
}

function toRow(study: StudyFieldsFragment | null, index: number) {
  if (!study) return <li key={index}>A study is here that could not be read.</li>;
  return (
    <li key={study.id}>
      <a href={studyHref(study.id)}>{study.description ?? 'A study without a question'}</a>
      <p className="meta">
        {study.strategy && <span>{toName(study.strategy)}</span>}
        <Created of={study} />
      </p>
      <div className="row-state">
        <Status of={study} />
        <Progress of={study} />
      </div>
    </li>
  );
}
