import { findAnswer, isRecord, toLayers, type UnknownRecord } from './answer.js';
import { toProblem, type StudyProblem } from './problem.js';
import { toReportedProblem } from './reported-problem.js';

/** Messages of a failed `fetch` in Chrome, Node, Firefox, React Native, Safari, and in Node for a lost connection. */
const FETCH_FAILURE = /fetch|network|load failed|terminated/i;

/**
 * Tells why an operation failed, from any value that a client library throws or returns: the errors of Apollo Client 3
 * and 4 and of Relay, the CombinedError of urql and villus, graphql-request's ClientError, a GraphQL response or its
 * `errors`, a failed `fetch`, and anything else. If an operation has several root fields, pass the whole result rather than its error: urql's error
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

/** Returns the problem of an operation without an answer from the gateway: whether the operation arrived is unknown. */
function toUnansweredProblem(layers: readonly UnknownRecord[], isRead: boolean): StudyProblem {
  const { code, reason, isTransient } = toFailure(layers);
  const consequence = 'Whether anything was changed is not known: check before repeating it.';
  return toProblem(isRead ? undefined : 'UNKNOWN', {
    code,
    message: isRead ? reason : `${reason} ${consequence}`,
    retryable: isRead && isTransient,
    fieldErrors: [],
    upstreamMessage: undefined,
    retryAfterSeconds: undefined,
    requestId: undefined,
    studyId: undefined,
    reason: undefined,
  });
}

/** `isTransient` tells whether a retry may succeed. */
function toFailure(layers: readonly UnknownRecord[]) {
  if (layers.some(({ name }) => name === 'AbortError'))
    return { code: 'ABORTED', reason: 'The operation was called off.', isTransient: false };
  if (layers.some(isNetworkError))
    return { code: 'NETWORK_ERROR', reason: 'The gateway gave no answer.', isTransient: true };
  const status = layers.map(toStatus).find((found) => found !== undefined);
  // With `fetch` alone, `response.json()` throws a SyntaxError, which has no status.
  if (status !== undefined || layers.some(({ name }) => name === 'SyntaxError'))
    return {
      code: 'UNREADABLE_ANSWER',
      reason: `The answer${status ? `, with status ${status},` : ''} is not one of the gateway's.`,
      isTransient: status !== undefined && status >= 500,
    };
  return { code: 'UNRECOGNIZED', reason: 'Something unforeseen happened.', isTransient: false };
}

function isNetworkError({ name, message }: UnknownRecord): boolean {
  if (name === 'TimeoutError') return true;
  return name === 'TypeError' && typeof message === 'string' && FETCH_FAILURE.test(message);
}

/** HTTP status of an error: Apollo Client, urql and graphql-request keep it in `response`. */
function toStatus({ response }: UnknownRecord): number | undefined {
  return isRecord(response) && typeof response.status === 'number' ? response.status : undefined;
}
