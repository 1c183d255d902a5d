import { findAnswer } from './answer.js';
import { toLayers } from './layers.js';
import type { StudyProblem } from './problem.js';
import { toReportedProblem } from './reported-problem.js';
import { toUnansweredProblem } from './unanswered-problem.js';

/**
 * Tells why an operation failed, from any value that a client library throws or returns: Apollo Client 4's errors,
 * urql's CombinedError, graphql-request's ClientError, a GraphQL response or its `errors`, a failed `fetch`, and
 * anything else. If an operation has several root fields, pass the whole result rather than its error: urql's error
 * alone does not tell which of the fields succeeded.
 *
 * Of several errors, the first error with the worst outcome counts: UNKNOWN before APPLIED, REJECTED, NOT_SENT and
 * reads. `retryable` is true only when all errors are retryable and, in a mutation, each root field is `null` beside an
 * error of its own. `fieldErrors` come from all errors with the worst outcome; `retryAfterSeconds` is the longest wait of
 * all errors.
 *
 * @param operation
 *   type of the operation, which an error without an answer does not tell. Default: a mutation, with outcome UNKNOWN.
 */
export function studyProblem(error: unknown, operation?: 'query' | 'mutation'): StudyProblem {
  const layers = toLayers(error);
  const answer = findAnswer(layers);
  return answer
    ? toReportedProblem(answer, operation)
    : toUnansweredProblem(layers, operation === 'query');
}
