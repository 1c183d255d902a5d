import { CombinedGraphQLErrors } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { StudyListDocument } from './study-list.query.ts';

const PAGE_SIZE = 10;

/** Reads the list page by page. The query has no `page`, so `studyTypePolicies` join all pages that were read. */
export function useStudyList() {
  const { data, previousData, error, fetchMore, refetch } = useQuery(StudyListDocument, {
    variables: { size: PAGE_SIZE },
    // Shows the cached list at once, and reads its first page again.
    fetchPolicy: 'cache-and-network',
  });
  const [isReadingMore, setReadingMore] = useState(false);
  const [moreError, setMoreError] = useState<unknown>();
  const { items, page, pages, total } = data?.studies ?? previousData?.studies ?? {};
  const count = items?.length ?? 0;

  const readMore = async () => {
    if (isReadingMore || !page) return;
    setReadingMore(true);
    setMoreError(undefined);
    const more = await fetchMore({ variables: { page: page + 1 }, errorPolicy: 'all' }).catch(
      (error: unknown) => ({
        data: undefined,
        error,
      }),
    );
    if (!more.data?.studies) setMoreError(more.error);
    setReadingMore(false);
  };

  return {
    items,
    error,
    /** Text about an error that leaves studies to show. */
    note: error && toNote(error),
    // A Study API that does not count has more as long as its pages are full.
    hasMore: Boolean(page) && (pages ? Number(page) < pages : count >= Number(page) * PAGE_SIZE),
    summary: total ? `${count} of ${total}` : undefined,
    isReadingMore,
    /** Error of the last attempt to read the next page. */
    moreError,
    readMore: () => void readMore(),
    readAgain: () => void refetch(),
  };
}

function toNote(error: unknown): string {
  const isPartial = CombinedGraphQLErrors.is(error) && error.data?.['studies'];
  return isPartial
    ? 'Something about these studies could not be read, and is left out.'
    : 'The studies could not be read again just now. What you see may be old.';
}
