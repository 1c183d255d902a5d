// Progress of a list's page without Apollo Client: call `watchPage` in an effect, and abort it at its end. `read` sends
// `StudiesProgressDocument`, by `fetch` or by urql:
// () => client.query(StudiesProgressDocument, { size: 20 }, { requestPolicy: 'network-only' }).toPromise()
import { studyProblem, type StudiesProgressQuery } from 'study-gateway-client';

type Studies = NonNullable<NonNullable<StudiesProgressQuery['studies']>['items']>;

/** Shows the studies, every 5 s until all have ended, or a read fails that repeating does not help. */
export async function watchPage(
  read: () => Promise<{ data?: StudiesProgressQuery | null | undefined }>,
  show: (studies: Studies) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const result = await read().catch((error: unknown) => ({ data: undefined, error }));
    const studies = result.data?.studies?.items;
    if (studies && !signal.aborted) show(studies);
    const goesOn = studies?.some(isRunning) ?? studyProblem(result, 'query').retryable;
    if (!goesOn) return;
    await new Promise((resolve) => setTimeout(resolve, 5000));
  }
}

function isRunning(study: Studies[number]): boolean {
  const { total, completed, failed } = study?.progress ?? {};
  return (completed ?? 0) + (failed ?? 0) < (total ?? 0);
}
