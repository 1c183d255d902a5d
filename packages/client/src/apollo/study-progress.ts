'use client';

import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import {
  StudiesProgressDocument,
  StudyProgressDocument,
  StudyProgressFragmentDoc,
  type StudiesProgressQueryVariables,
  type StudyProgressFragment,
} from '../generated/operations.js';
import { studyProblem } from '../study-problem.js';

declare const document: {
  readonly hidden: boolean;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
};

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 15_000;
const HIDDEN_WAIT_MS = 60_000;

type Shown = Pick<StudyProgressFragment, 'id' | 'status' | 'progress'> | null;

/**
 * Reads status and progress again while a study that is shown runs: one study, or those of a page of a list. Waits 2 s,
 * up to 15 s while nothing changes, and 60 s in a hidden tab. Writes the studies to the cache, never a list, so no page is
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
    let timer: ReturnType<typeof setTimeout> | undefined;

    const read = async () => {
      const options = { fetchPolicy: 'no-cache', errorPolicy: 'all' } as const;
      const variables: StudiesProgressQueryVariables = JSON.parse(pageText);
      const { data, error } =
        id === undefined
          ? await client.query({ query: StudiesProgressDocument, variables, ...options })
          : await client.query({ query: StudyProgressDocument, variables: { id }, ...options });
      if (isOver) return;
      const studies = data && ('study' in data ? [data.study] : (data.studies?.items ?? []));
      for (const study of studies ?? []) if (study) write(study);
      const now = JSON.stringify(data ?? null);
      wait = now === before ? Math.min(wait * 1.5, LONGEST_WAIT_MS) : FIRST_WAIT_MS;
      before = now;
      isOver = error ? !studyProblem(error, 'query').retryable : !studies?.some(Boolean);
      plan(wait);
    };
    const write = (study: StudyProgressFragment) =>
      client.writeFragment({
        id: client.cache.identify({ ...study, __typename: 'Study' }) ?? '',
        fragment: StudyProgressFragmentDoc,
        fragmentName: 'StudyProgress',
        data: study,
      });
    const plan = (ms: number) => {
      clearTimeout(timer);
      if (isOver) return;
      timer = setTimeout(() => void read().catch(fail), document.hidden ? HIDDEN_WAIT_MS : ms);
    };
    // A reading that `client.resetStore()` has cancelled.
    const fail = () => plan((wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)));
    const onVisibility = () => plan(0);

    plan(wait);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [client, isAnyRunning, id, pageText]);
}

/** Whether fewer interviews are completed or have failed than there are. */
function isRunning({ progress }: NonNullable<Shown>): boolean {
  const { total, completed, failed } = progress ?? {};
  return (completed ?? 0) + (failed ?? 0) < (total ?? 0);
}
