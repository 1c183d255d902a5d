import { isRecord, type UnknownRecord } from './layers.js';
import { toProblem, type StudyProblem } from './problem.js';

/** Messages of a failed `fetch` in Chrome, Node, Firefox, React Native, Safari, and in Node for a lost connection. */
const FETCH_FAILURE = /fetch|network|load failed|terminated/i;

interface Failure {
  readonly code: 'NETWORK_ERROR' | 'ABORTED' | 'UNREADABLE_ANSWER' | 'UNRECOGNIZED';
  readonly reason: string;
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;
}

/** Returns the problem of an operation without an answer from the gateway: whether the operation arrived is unknown. */
export function toUnansweredProblem(
  layers: readonly UnknownRecord[],
  isRead: boolean,
): StudyProblem {
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

function toFailure(layers: readonly UnknownRecord[]): Failure {
  if (layers.some(({ name }) => name === 'AbortError'))
    return { code: 'ABORTED', reason: 'The operation was called off.', isTransient: false };
  if (layers.some(isNetworkError))
    return { code: 'NETWORK_ERROR', reason: 'The gateway gave no answer.', isTransient: true };
  const status = layers.map(toStatus).find((found) => found !== undefined);
  if (status !== undefined)
    return {
      code: 'UNREADABLE_ANSWER',
      reason: `The answer, with status ${status}, is not one of the gateway's.`,
      isTransient: status >= 500,
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
