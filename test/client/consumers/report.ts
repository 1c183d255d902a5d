import type { StudyProblem } from 'study-gateway/client';

/** Where the gateway takes operations. */
export const [, , url = ''] = process.argv;

/** What a consumer has seen, for the test to read from its output. */
export interface Seen {
  readonly created: string | null | undefined;
  readonly edited: string | null | undefined;
  readonly read: string | null | undefined;
  readonly problem: StudyProblem;
}

export function report(seen: Seen): void {
  console.log(JSON.stringify(seen));
}
