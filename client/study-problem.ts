import { findAnswer } from './answer.js';
import { toLayers } from './layers.js';
import type { StudyProblem } from './problem.js';
import { toReportedProblem } from './reported-problem.js';
import { toUnansweredProblem } from './unanswered-problem.js';

/**
 * What went wrong, from whatever a client library throws or returns: Apollo Client 4's errors, urql's
 * CombinedError, graphql-request's ClientError, a GraphQL response or its `errors`, a failed `fetch`, and
 * anything else. A result that holds an error will do as well as the error, and says more when an operation
 * has several fields: urql's error alone does not tell which of them were done.
 *
 * Of several errors it is the one that it would harm most to overlook: UNKNOWN before APPLIED, REJECTED, NOT_SENT
 * and reads, the first of each. `retryable` speaks of the operation as a whole: it is true only when all of its
 * errors are retryable and no other field has done its work. `fieldErrors` are those of every error
 * with the same outcome, `retryAfterSeconds` is the longest wait of all.
 *
 * @param operation
 *   what was run. Without an answer nobody else can tell whether it was a read; when it is not given, it is
 *   taken for a write, whose fate is UNKNOWN.
 */
export function studyProblem(error: unknown, operation?: 'query' | 'mutation'): StudyProblem {
  const isRead = operation === 'query';
  const layers = toLayers(error);
  const answer = findAnswer(layers);
  return answer ? toReportedProblem(answer, isRead) : toUnansweredProblem(layers, isRead);
}
