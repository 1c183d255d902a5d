import type { GraphQLFormattedError } from 'graphql';
import type { Outcome } from '../rest/rest-call.js';

/** The error that stands for an operation, as the client was told. */
export interface WorstError {
  readonly code: string;
  /** `undefined` of a read that was sent, of which nothing can have become. */
  readonly outcome: Outcome | undefined;
}

/** The outcome that does the most harm when it is overlooked comes first. */
export const outcomesByHarm: readonly unknown[] = [
  'UNKNOWN',
  'APPLIED',
  'REJECTED',
  'NOT_SENT',
  undefined,
];

/** The error that stands for an operation; `undefined` when it has none. */
export function findWorstError(
  errors: readonly GraphQLFormattedError[] | undefined,
): WorstError | undefined {
  let worst: GraphQLFormattedError['extensions'];
  for (const { extensions } of errors ?? [])
    if (!worst || toRank(extensions) < toRank(worst)) worst = extensions;
  if (!worst) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- format-error.ts has set both
  return { code: String(worst['code']), outcome: worst['outcome'] as Outcome | undefined };
}

function toRank(extensions: GraphQLFormattedError['extensions']): number {
  return outcomesByHarm.indexOf(extensions?.['outcome']);
}
