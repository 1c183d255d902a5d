import { findAnswer } from './answer.js';
import { toLayers } from './layers.js';
import type { StudyProblem } from './problem.js';
import { toReportedProblem } from './reported-problem.js';
import { toUnansweredProblem } from './unanswered-problem.js';

/**
 * Tells why an operation failed, from any value that a client library throws or returns: Apollo Client 4's errors,
 * urql's CombinedError, graphql-request's ClientError, a GraphQL response or its `errors`, a failed `fetch`, and
 * anything else. Pass the whole result rather than its error where an operation has several root fields: urql's error
 * alone does not tell which of the fields succeeded.
 *
 * Of several errors, the worst outcome counts: UNKNOWN before APPLIED, REJECTED, NOT_SENT and reads, and of that
 * outcome the first error. `retryable` is true only when all errors are retryable and no root field of a write
 * succeeded. `fieldErrors` come from all errors with that outcome; `retryAfterSeconds` is the longest wait of all.
 *
 * @param operation
 *   type of the operation. Only the caller knows it when no answer came. The default is a write, with outcome UNKNOWN.
 */
export function studyProblem(error: unknown, operation?: 'query' | 'mutation'): StudyProblem {
  const isRead = operation === 'query';
  const layers = toLayers(error);
  const answer = findAnswer(layers);
  return answer ? toReportedProblem(answer, isRead) : toUnansweredProblem(layers, isRead);
}
