// Status and progress of a study that runs, without Apollo Client: call `watchStudy` in an effect, and abort it at its end.
import { print } from 'graphql';
import { studyProblem, StudyProgressDocument, type StudyProgressQuery } from 'study-gateway-client';
import type { Client } from 'urql';

type Read = (id: string) => Promise<{ data?: StudyProgressQuery | null | undefined }>;

export const readByUrql =
  (client: Client): Read =>
  (id) =>
    client.query(StudyProgressDocument, { id }, { requestPolicy: 'network-only' }).toPromise();

export const readByFetch =
  (url: string, toHeaders: () => Record<string, string>): Read =>
  async (id) => {
    const headers = { 'content-type': 'application/json', ...toHeaders() };
    const body = JSON.stringify({ query: print(StudyProgressDocument), variables: { id } });
    return (await fetch(url, { method: 'POST', headers, body })).json();
  };

/** Shows each state of a study until it has ended, or a read fails that repeating does not help. */
export async function watchStudy(
  read: Read,
  id: string,
  show: (study: NonNullable<StudyProgressQuery['study']>) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = 2000; !signal.aborted; wait = Math.min(wait * 1.5, 15_000)) {
    const result = await read(id).catch((error: unknown) => ({ data: undefined, error }));
    const study = result.data?.study;
    if (signal.aborted || (!study && !studyProblem(result, 'query').retryable)) return;
    if (study) show(study);
    const { total, completed, failed } = study?.progress ?? {};
    if (study && (completed ?? 0) + (failed ?? 0) >= (total ?? 0)) return;
    await new Promise((resolve) => setTimeout(resolve, document.hidden ? 60_000 : wait));
  }
}
