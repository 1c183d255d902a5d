import type { GraphQLFormattedError } from 'graphql';
import { outcomesByHarm, type Outcome } from 'rest-outcome';

/** Code and outcome of the most serious error of an operation, as sent to the client. */
export interface WorstError {
  readonly code: string;
  /** `undefined` for a read that was sent, because a read changes nothing. */
  readonly outcome: Outcome | undefined;
}

/** A read that was sent has no outcome, and does the least harm. */
const outcomes: readonly unknown[] = [...outcomesByHarm, undefined];

/** Returns the most serious error of an operation; `undefined` if the list is empty. */
export function findWorstError(errors: readonly GraphQLFormattedError[]): WorstError | undefined {
  let worst: GraphQLFormattedError['extensions'];
  for (const { extensions } of errors)
    if (!worst || toRank(extensions) < toRank(worst)) worst = extensions;
  if (!worst) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- client-error.ts has set both
  return { code: String(worst['code']), outcome: worst['outcome'] as Outcome | undefined };
}

function toRank(extensions: GraphQLFormattedError['extensions']): number {
  return outcomes.indexOf(extensions?.['outcome']);
}
