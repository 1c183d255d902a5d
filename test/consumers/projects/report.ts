import { matchProblem, studyProblem, type StudyProblem } from 'study-gateway-client';

/** Where the gateway takes operations. */
export const [, , url = ''] = process.argv;

/** What a consumer has seen, for the test to read from its output. */
export interface Seen {
  readonly created: string | null | undefined;
  readonly edited: string | null | undefined;
  readonly read: string | null | undefined;
  /** What failed, as the library of the consumer tells it. */
  readonly failed: unknown;
}

export function report({ failed, ...seen }: Seen): void {
  const problem = studyProblem(failed);
  console.log(JSON.stringify({ ...seen, problem, advice: advise(problem) }));
}

function advise(problem: StudyProblem): string {
  return matchProblem(problem, {
    notSent: () => 'Send it again.',
    rejected: ({ message }) => message,
    applied: ({ studyId }) => `It is ${studyId}.`,
    unknown: () => 'Check first.',
    readFailed: () => 'Read it again.',
  });
}

export function adviseBadly(problem: StudyProblem): string {
  // @ts-expect-error: what is to be done after UNKNOWN is left out
  return matchProblem(problem, {
    notSent: () => 'Send it again.',
    rejected: ({ message }) => message,
    applied: ({ studyId }) => `It is ${studyId}.`,
    readFailed: () => 'Read it again.',
  });
}
