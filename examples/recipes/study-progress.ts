// Status and progress of a list's page, without Apollo Client: call `watchPage` in an effect, and abort it at its end.
import {
  StudiesProgressDocument,
  studyProblem,
  type StudiesProgressQuery,
} from 'study-gateway-client';
import type { Client } from 'urql';

type Studies = NonNullable<NonNullable<StudiesProgressQuery['studies']>['items']>;

/** With urql. Any function that sends `StudiesProgressDocument` takes its place: one with `fetch`, for example. */
export const readByUrql = (client: Client) => () =>
  client
    .query(StudiesProgressDocument, { size: 20 }, { requestPolicy: 'network-only' })
    .toPromise();

/** Shows each state of the studies until all have ended, or a read fails that repeating does not help. */
export async function watchPage(
  read: () => Promise<{ data?: StudiesProgressQuery | null | undefined }>,
  show: (studies: Studies) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = 2000; !signal.aborted; wait = Math.min(wait * 1.5, 15_000)) {
    const result = await read().catch((error: unknown) => ({ data: undefined, error }));
    const studies = result.data?.studies?.items;
    if (signal.aborted || (!studies && !studyProblem(result, 'query').retryable)) return;
    if (studies) show(studies);
    if (studies && !studies.some(isRunning)) return;
    await new Promise((resolve) => setTimeout(resolve, document.hidden ? 60_000 : wait));
  }
}

function isRunning(study: Studies[number]): boolean {
  const { total, completed, failed } = study?.progress ?? {};
  return (completed ?? 0) + (failed ?? 0) < (total ?? 0);
}
