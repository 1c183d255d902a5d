import { toAnswer } from './answer.js';
import { studyProblem } from './study-problem.js';

/** Maximum wait before an automatic retry. A later retry of a write could overwrite changes made in the meantime. */
const MAX_WAIT_SECONDS = 10;

/**
 * Whether to retry an operation, for `attempts.retryIf` of Apollo's RetryLink and `retryIf` of urql's `retryExchange`.
 * Retries an operation that the gateway calls `retryable`, and a read without an answer. Never retries a write whose
 * answer was lost, nor a mutation of which a root field may have written, and never after a wait of more than 10 s. A
 * mutation whose data the library hides, as urql does, is retried only if it was refused as a whole.
 *
 * @param operation its type is `operationType` in Apollo Client, and `kind` in urql
 */
export function retryIfSafe(
  error: unknown,
  { operationType, kind }: { readonly operationType?: string; readonly kind?: string },
): boolean {
  const isQuery = operationType === 'query' || kind === 'query';
  const problem = studyProblem(error, isQuery ? 'query' : 'mutation');
  const { retryable, retryAfterSeconds = 0 } = problem;
  const { errors, data } = toAnswer(error);
  // `studyProblem` looks at the data. Errors of root fields have a path.
  const isWhole = isQuery || data || errors.every(({ path }) => !path);
  return retryable && retryAfterSeconds <= MAX_WAIT_SECONDS && Boolean(isWhole);
}
