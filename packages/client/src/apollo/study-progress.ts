'use client';

import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import {
  StudiesProgressDocument,
  StudyDocument,
  type StudiesProgressQueryVariables,
  type StudyFieldsFragment,
} from '../generated/operations.js';
import { sleep } from '../safe-writes/platform.js';
import { studyProblem } from '../study-problem.js';

declare const document: { readonly hidden: boolean };

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 15_000;
const HIDDEN_WAIT_MS = 60_000;

type Shown = Pick<StudyFieldsFragment, 'id' | 'status' | 'progress'> | null;

/**
 * Reads status and progress again while a study that is shown runs: one study, or those of a page of a list. Waits 2 s,
 * up to 15 s while nothing changes, and 60 s in a hidden tab. Changes the studies in the cache, never a list, so no page is
 * lost. Ends when none runs, or at an error that repeating does not help.
 *
 * @param page variables of the page that `shown` lists
 */
export function useStudyProgress(
  shown: Shown | undefined | readonly Shown[],
  page: StudiesProgressQueryVariables = {},
): void {
  const client = useApolloClient();
  const running = [shown ?? []].flat().find((study) => study && isRunning(study));
  const isAnyRunning = running !== undefined;
  const id = Array.isArray(shown) ? undefined : running?.id;
  const pageText = JSON.stringify(page);

  useEffect(() => {
    if (!isAnyRunning) return undefined;
    let isOver = false;
    let wait = FIRST_WAIT_MS;
    let before = '';
    let readAt = Date.now();

    const read = async () => {
      readAt = Date.now();
      const options = { fetchPolicy: 'no-cache', errorPolicy: 'all' } as const;
      const variables: StudiesProgressQueryVariables = JSON.parse(pageText);
      const { data, error } =
        id === undefined
          ? await client.query({ query: StudiesProgressDocument, variables, ...options })
          : await client.query({ query: StudyDocument, variables: { id }, ...options });
      if (isOver) return;
      const studies = data && ('study' in data ? [data.study] : (data.studies?.items ?? []));
      // The other fields stay: an edit may have changed them since the study was read.
      for (const study of studies ?? [])
        client.cache.modify<NonNullable<Shown>>({
          id: client.cache.identify({ __typename: 'Study', id: study?.id }) ?? '',
          fields: { status: () => study?.status ?? null, progress: () => study?.progress ?? null },
        });
      const now = JSON.stringify(data ?? null);
      wait = now === before ? Math.min(wait * 1.5, LONGEST_WAIT_MS) : FIRST_WAIT_MS;
      before = now;
      isOver = error ? !studyProblem(error, 'query').retryable : !studies?.some(Boolean);
    };
    const watch = async () => {
      await sleep(wait);
      if (isOver) return;
      if (document.hidden && Date.now() - readAt < HIDDEN_WAIT_MS) wait = FIRST_WAIT_MS;
      // `client.resetStore()` cancels a read.
      else await read().catch(() => {});
      if (!isOver) void watch();
    };

    void watch();
    return () => {
      isOver = true;
    };
  }, [client, isAnyRunning, id, pageText]);
}

/** Whether fewer interviews are completed or have failed than there are. */
function isRunning({ progress }: NonNullable<Shown>): boolean {
  const { total, completed, failed } = progress ?? {};
  return (completed ?? 0) + (failed ?? 0) < (total ?? 0);
}
