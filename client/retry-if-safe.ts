import { studyProblem } from './study-problem.js';

/** The part of Apollo Client's operation that `retryIfSafe` reads. */
interface OperationLike {
  readonly operationType: string;
}

/** Maximum wait before an automatic retry. A later retry of a write could overwrite changes made in the meantime. */
const MAX_WAIT_SECONDS = 10;
/** Mean wait before the first retry; doubles with each further retry. */
const FIRST_WAIT_MS = 300;

/**
 * Whether to retry an operation, for `attempts.retryIf` of Apollo's RetryLink. Retries an operation that the gateway
 * calls `retryable`, and a read without an answer. Never retries a write whose answer was lost, and never after a wait
 * of more than 10 s.
 *
 * RetryLink sees no GraphQL errors; an ErrorLink behind it must throw them:
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

/** Milliseconds to wait before a retry, for `delay` of RetryLink: at least `retryAfterSeconds`. */
export function retryDelay(attempt: number, operation: OperationLike, error: unknown): number {
  const { retryAfterSeconds = 0 } = problemOf(error, operation);
  // Jitter from 0 to twice the mean: clients that failed together do not retry together.
  const backoff = 2 * Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1);
  return retryAfterSeconds * 1000 + backoff;
}

function problemOf(error: unknown, { operationType }: OperationLike) {
  return studyProblem(error, operationType === 'query' ? 'query' : 'mutation');
}
