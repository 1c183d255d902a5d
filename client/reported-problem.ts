import type { Answer, GraphQLErrorLike } from './answer.js';
import { isRecord, type UnknownRecord } from './layers.js';
import { toProblem, type FieldError, type StudyProblem } from './problem.js';

/** Of several problems the one that it would harm most to overlook comes first. */
const ORDER: readonly StudyProblem['outcome'][] = [
  'UNKNOWN',
  'APPLIED',
  'REJECTED',
  'NOT_SENT',
  undefined,
];

/** The problem of an answer that the gateway gave. */
export function toReportedProblem({ errors, data }: Answer, isRead: boolean): StudyProblem {
  const problems = errors.map((error) => toSingleProblem(error, isRead));
  const rank = ({ outcome }: StudyProblem) => ORDER.indexOf(outcome);
  const worst = problems.reduce((a, b) => (rank(b) < rank(a) ? b : a));
  const waits = problems.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  return {
    ...worst,
    // The operation can only be repeated as a whole.
    retryable:
      problems.every(({ retryable }) => retryable) &&
      (worst.kind === 'readFailed' || isRead || !hasResult(data)),
    fieldErrors: problems
      .filter(({ kind }) => kind === worst.kind)
      .flatMap(({ fieldErrors }) => fieldErrors),
    retryAfterSeconds: waits.length > 0 ? Math.max(...waits) : undefined,
  };
}

function toSingleProblem(error: GraphQLErrorLike, isRead: boolean): StudyProblem {
  const extensions = isRecord(error.extensions) ? error.extensions : {};
  const { code, retryable, retryAfterSeconds, requestId, studyId, reason } = extensions;
  return toProblem(toOutcome(extensions, isRead), {
    code: typeof code === 'string' ? code : 'UNRECOGNIZED',
    message: error.message,
    retryable: retryable === true,
    fieldErrors: Array.isArray(extensions.fieldErrors)
      ? extensions.fieldErrors.filter(isFieldError)
      : [],
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    studyId: typeof studyId === 'string' ? studyId : undefined,
    reason: typeof reason === 'string' ? reason : undefined,
  });
}

function toOutcome(
  { outcome, retryable }: UnknownRecord,
  isRead: boolean,
): StudyProblem['outcome'] {
  if (outcome === 'NOT_SENT') return outcome;
  if (isRead) return undefined;
  if (outcome === 'REJECTED' || outcome === 'APPLIED' || outcome === 'UNKNOWN') return outcome;
  // Every error of the gateway says whether it is retryable, and leaves the outcome out for reads only. Of what
  // somebody else reports, nothing is known.
  return typeof retryable === 'boolean' ? undefined : 'UNKNOWN';
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && Array.isArray(value.path) && typeof value.message === 'string';
}

/** Whether a root field of the operation has done its work, and would do it again. */
function hasResult(data: unknown): boolean {
  return isRecord(data) && Object.values(data).some((field) => field !== null);
}
