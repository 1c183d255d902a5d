import { findAnswer, toLayers } from './answer.js';
import { haveFailed, toRootNames } from './root-fields.js';
import { studyProblem } from './study-problem.js';

/** The part of an operation of Apollo Client or urql that `retryIfSafe` reads. */
interface OperationLike {
  /** `query` for a read, as Apollo Client says. */
  readonly operationType?: string;
  /** `query` for a read, as urql says. */
  readonly kind?: string;
  /** Parsed document. Needed for errors without data, such as those of urql's `retryExchange`. */
  readonly query?: unknown;
}

/** Maximum wait before an automatic retry. A later retry of a write could overwrite changes made in the meantime. */
const MAX_WAIT_SECONDS = 10;
/** Mean wait before the first retry; doubles with each further retry. */
const FIRST_WAIT_MS = 300;

/**
 * Whether to retry an operation, for `attempts.retryIf` of Apollo's RetryLink and `retryIf` of urql's `retryExchange`.
 * Retries an operation that the gateway calls `retryable`, and a read without an answer. Never retries a write whose
 * answer was lost, nor a mutation of which a root field may have written, and never after a wait of more than 10 s. If a
 * library hides the data of a mutation's response, as urql does, the mutation is retried only if `operation.query` shows
 * that each root field has an error.
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
  return retryable && retryAfterSeconds <= MAX_WAIT_SECONDS && hasNoHiddenWrite(error, operation);
}

/** Milliseconds to wait before a retry, for `delay` of RetryLink: at least `retryAfterSeconds`. */
export function retryDelay(attempt: number, operation: OperationLike, error: unknown): number {
  const { retryAfterSeconds = 0 } = problemOf(error, operation);
  // Jitter from 0 to twice the mean: clients that failed together do not retry together.
  const backoff = 2 * Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1);
  return retryAfterSeconds * 1000 + backoff;
}

/** Returns true if a mutation was refused completely, or its data or document shows that each root field has failed. */
function hasNoHiddenWrite(error: unknown, operation: OperationLike): boolean {
  const answer = findAnswer(toLayers(error));
  // `studyProblem` has looked at the data.
  if (isQuery(operation) || answer?.data) return true;
  if (!answer) return false;
  if (answer.errors.every(({ path }) => !Array.isArray(path))) return true;
  const names = toRootNames(operation.query);
  return names !== undefined && haveFailed(names, answer);
}

function problemOf(error: unknown, operation: OperationLike) {
  return studyProblem(error, isQuery(operation) ? 'query' : 'mutation');
}

function isQuery({ operationType, kind }: OperationLike): boolean {
  return operationType === 'query' || kind === 'query';
}
