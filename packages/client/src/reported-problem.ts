import { isRecord, type Answer, type GraphQLErrorLike, type UnknownRecord } from './answer.js';
import { toProblem, type FieldError, type StudyProblem } from './problem.js';
import { haveFailed } from './root-fields.js';

/** Outcomes in the order of the harm of overlooking an outcome, worst first. `undefined` stands for a read. */
const WORST_FIRST: readonly StudyProblem['outcome'][] = [
  'UNKNOWN',
  'APPLIED',
  'REJECTED',
  'NOT_SENT',
  undefined,
];

/** Merges the errors of a GraphQL response into one problem, as `studyProblem` describes. */
export function toReportedProblem(answer: Answer, operation?: 'query' | 'mutation'): StudyProblem {
  const problems = answer.errors.map((error) => toSingleProblem(error, operation));
  const rank = ({ outcome }: StudyProblem) => WORST_FIRST.indexOf(outcome);
  const worst = problems.reduce((a, b) => (rank(b) < rank(a) ? b : a));
  const waits = problems.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  return {
    ...worst,
    // A retry repeats the whole operation, including root fields that succeeded: a root field without an error may have written.
    retryable:
      problems.every(({ retryable }) => retryable) &&
      (worst.kind === 'readFailed' ||
        operation === 'query' ||
        !answer.data ||
        haveFailed(Object.keys(answer.data), answer)),
    fieldErrors: problems
      .filter(({ kind }) => kind === worst.kind)
      .flatMap(({ fieldErrors }) => fieldErrors),
    retryAfterSeconds: waits.length > 0 ? Math.max(...waits) : undefined,
  };
}

function toSingleProblem(
  error: GraphQLErrorLike,
  operation: 'query' | 'mutation' | undefined,
): StudyProblem {
  const extensions = isRecord(error.extensions) ? error.extensions : {};
  const { retryable, retryAfterSeconds, requestId, studyId, reason, upstreamMessage } = extensions;
  const code = toText(extensions.code) ?? 'UNRECOGNIZED';
  const outcome = toOutcome(extensions, operation);
  return toProblem(outcome, {
    code,
    message: error.message ?? `The operation failed: ${code}.`,
    retryable: retryable === true && outcome !== 'UNKNOWN' && outcome !== 'APPLIED',
    fieldErrors: Array.isArray(extensions.fieldErrors)
      ? extensions.fieldErrors.filter(isFieldError)
      : [],
    upstreamMessage: toText(upstreamMessage),
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
    requestId: toText(requestId),
    studyId: toText(studyId),
    reason: toText(reason),
  });
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function toOutcome(
  { outcome, retryable }: UnknownRecord,
  operation: 'query' | 'mutation' | undefined,
): StudyProblem['outcome'] {
  if (outcome === 'NOT_SENT') return outcome;
  if (operation === 'query') return undefined;
  if (outcome === 'REJECTED' || outcome === 'APPLIED' || outcome === 'UNKNOWN') return outcome;
  // The gateway's errors always have `retryable`, and lack `outcome` for reads only. An error without `retryable` comes
  // from elsewhere, and another outcome from a later version, so the outcome is unknown.
  const isRead = outcome === undefined && typeof retryable === 'boolean';
  return isRead && operation !== 'mutation' ? undefined : 'UNKNOWN';
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && Array.isArray(value.path) && typeof value.message === 'string';
}
