import type { GraphQLFormattedError } from 'graphql';
import { outcomesByHarm, type Outcome } from 'rest-outcome';

/** A read that was sent has no outcome, and does the least harm. */
const outcomes: readonly unknown[] = [...outcomesByHarm, undefined];

/** Returns code and outcome of the most serious error of an operation, as sent to the client. */
export function findWorstError(errors: readonly GraphQLFormattedError[]) {
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
