import { studyProblem } from './study-problem.js';

/** What is read of an operation of Apollo Client. */
interface OperationLike {
  readonly operationType: string;
}

/** A write that is repeated much later may overwrite what was written in between. */
const MAX_WAIT_SECONDS = 10;
/** The mean wait before the first repetition; it doubles with each. */
const FIRST_WAIT_MS = 300;

/**
 * Whether to repeat an operation, for `attempts.retryIf` of Apollo's RetryLink: what the gateway calls `retryable`,
 * and reads that got no answer. Never a write whose answer was lost, and nothing that has to wait for more than 10 s,
 * which is for the user to decide.
 *
 * RetryLink sees no GraphQL errors by itself; an ErrorLink after it has to throw them:
 *
 * ```ts
 * ApolloLink.from([
 *   new RetryLink({ attempts: { max: 3, retryIf: retryIfSafe }, delay: retryDelay }),
 *   new ErrorLink(({ error, operation }) =>
 *     retryIfSafe(error, operation) ? throwError(() => error) : undefined,
 *   ),
 *   new HttpLink({ uri }),
 * ]);
 * ```
 */
export function retryIfSafe(error: unknown, operation: OperationLike): boolean {
  const { retryable, retryAfterSeconds = 0 } = problemOf(error, operation);
  return retryable && retryAfterSeconds <= MAX_WAIT_SECONDS;
}

/** How long to wait before repeating, in ms, for `delay` of RetryLink: at least what the Study API asked for. */
export function retryDelay(attempt: number, operation: OperationLike, error: unknown): number {
  const { retryAfterSeconds = 0 } = problemOf(error, operation);
  // Spread evenly around the mean, so that clients that failed together do not come back together.
  const backoff = 2 * Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1);
  return retryAfterSeconds * 1000 + backoff;
}

function problemOf(error: unknown, { operationType }: OperationLike) {
  return studyProblem(error, operationType === 'query' ? 'query' : 'mutation');
}
