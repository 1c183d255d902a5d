import { useState } from 'react';
import { studyProblem, type StudyFieldsFragment } from 'study-gateway-client';
import { useStudiesQuery, useStudyProgress } from 'study-gateway-client/apollo';
import { ProblemNotice } from './notice.tsx';
import { createHref, studyHref } from './route.ts';
import { strategyNames } from './strategies.ts';
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
  const count = items?.length ?? 0;
  // A Study API that does not count has more as long as its pages are full.
  const hasMore =
    Boolean(page) && (pages ? Number(page) < pages : count >= Number(page) * PAGE_SIZE);

  // One request reads the progress of all rows.
  useStudyProgress(items ?? [], { page: { size: (page ?? 1) * PAGE_SIZE } });

  const readMore = async () => {
    if (isReadingMore) return;
    setReadingMore(true);
    setMoreError(undefined);
    const more = await fetchMore({
      variables: { page: Number(page) + 1 },
      errorPolicy: 'all',
    }).catch((failure: unknown) => ({ data: undefined, error: failure }));
    if (!more.data?.studies) setMoreError(more.error);
    setReadingMore(false);
  };

  return (
    <>
      <title>Studies</title>
      <div className="page-title">
        <h1>Studies</h1>
        {total ? (
          <p>
            {count} of {total}
          </p>
        ) : null}
      </div>
      {items ? (
        <>
          <Remark error={error} />
          {count === 0 ? (
            <div className="empty card">
              <h2>There are no studies yet</h2>
              <p>
                <a href={createHref}>Create the first one</a>
              </p>
            </div>
          ) : (
            <Rows of={items} />
          )}
          {Boolean(moreError) && (
            <ProblemNotice
              problem={studyProblem(moreError, 'query')}
              title="The next studies could not be read"
            >
              <button type="button" onClick={() => void readMore()}>
                Read again
              </button>
            </ProblemNotice>
          )}
          {hasMore && !moreError && (
            <button type="button" aria-disabled={isReadingMore} onClick={() => void readMore()}>
              {isReadingMore ? 'Reading …' : 'Show more'}
            </button>
          )}
        </>
      ) : error ? (
        <ProblemNotice problem={studyProblem(error, 'query')} title="The studies could not be read">
          <button type="button" onClick={() => void refetch()}>
            Read again
          </button>
        </ProblemNotice>
      ) : (
        <output className="empty card">Reading the studies …</output>
      )}
    </>
  );
}

function Rows({ of: items }: { readonly of: readonly (StudyFieldsFragment | null)[] }) {
  return (
    <ul className="rows card">
      {items.map((study, index) =>
        study ? (
          <li key={study.id}>
            <a href={studyHref(study.id)}>{study.description ?? 'A study without a question'}</a>
            <p className="meta">
              {study.strategy && <span>{strategyNames.get(study.strategy) ?? study.strategy}</span>}
              <Created at={study.createdAt} />
            </p>
            <div className="row-state">
              <Status of={study} />
              <Progress of={study} />
            </div>
          </li>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a study that could not be read has nothing else
          <li key={index} className="none">
            A study is here that could not be read.
          </li>
        ),
      )}
    </ul>
  );
}
