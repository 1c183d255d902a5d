import { isRecord, type UnknownRecord } from './layers.js';
import { toProblem, type StudyProblem } from './problem.js';

/** How `fetch` fails in Chrome and Node, Firefox, React Native, Safari, and when Node loses the connection midway. */
const FETCH_FAILURE = /fetch|network|load failed|terminated/i;

interface Failure {
  readonly code: 'NETWORK_ERROR' | 'ABORTED' | 'UNREADABLE_ANSWER' | 'UNRECOGNIZED';
  readonly reason: string;
  /** Whether it may go better when it is repeated. */
  readonly mayPass: boolean;
}

/** The problem of an operation that the gateway has not answered: whether it arrived is not known. */
export function toUnansweredProblem(
  layers: readonly UnknownRecord[],
  isRead: boolean,
): StudyProblem {
  const { code, reason, mayPass } = toFailure(layers);
  const consequence = 'Whether anything was changed is not known: check before repeating it.';
  return toProblem(isRead ? undefined : 'UNKNOWN', {
    code,
    message: isRead ? reason : `${reason} ${consequence}`,
    retryable: isRead && mayPass,
    fieldErrors: [],
    retryAfterSeconds: undefined,
    requestId: undefined,
    studyId: undefined,
    reason: undefined,
  });
}

function toFailure(layers: readonly UnknownRecord[]): Failure {
  if (layers.some(({ name }) => name === 'AbortError'))
    return { code: 'ABORTED', reason: 'The operation was called off.', mayPass: false };
  if (layers.some(isNetworkError))
    return { code: 'NETWORK_ERROR', reason: 'The gateway gave no answer.', mayPass: true };
  const status = layers.map(toStatus).find((found) => found !== undefined);
  if (status !== undefined)
    return {
      code: 'UNREADABLE_ANSWER',
      reason: `The answer, with status ${status}, is not one of the gateway's.`,
      mayPass: status >= 500,
    };
  return { code: 'UNRECOGNIZED', reason: 'Something unforeseen happened.', mayPass: false };
}

function isNetworkError({ name, message }: UnknownRecord): boolean {
  if (name === 'TimeoutError') return true;
  return name === 'TypeError' && typeof message === 'string' && FETCH_FAILURE.test(message);
}

/** The HTTP status of an error, where all three libraries have it. */
function toStatus({ response }: UnknownRecord): number | undefined {
  return isRecord(response) && typeof response.status === 'number' ? response.status : undefined;
}
