import { isRecord, toAnswer, type GraphQLErrorLike } from './answer.js';
import { outcomes, type FieldError, type StudyProblem } from './problem.js';

type Operation = 'query' | 'mutation' | undefined;

const kinds = Object.keys(outcomes);

/**
 * Tells why an operation failed, from any value that a client library throws or returns: the errors of Apollo Client 3
 * and 4 and of Relay, the CombinedError of urql, graphql-request's ClientError, a GraphQL response or its
 * `errors`, a failed `fetch`, and anything else. If an operation has several root fields, pass the whole result rather than
 * its error: urql's error alone does not tell which of the fields succeeded.
 *
 * Of several errors, the first error with the worst outcome counts: UNKNOWN before APPLIED, REJECTED, NOT_SENT and
 * reads. `retryable` is true only when all errors are retryable and, in a mutation, each root field is `null` beside an
 * error of its own. `fieldErrors` come from all errors with the worst outcome.
 *
 * @param operation
 *   type of the operation, which an error without an answer does not tell. Default: a mutation, with outcome UNKNOWN.
 */
export function studyProblem(error: unknown, operation?: 'query' | 'mutation'): StudyProblem {
  const { errors, data } = toAnswer(error);
  const problems = errors.map((single) => toProblem(single, operation));
  const toRank = ({ kind }: StudyProblem) => kinds.indexOf(kind);
  const worst = problems.reduce((one, other) => (toRank(other) < toRank(one) ? other : one));
  // A retry repeats the whole operation: a root field without an error may have written.
  const failed = new Set(errors.map(({ path }) => path?.[0]));
  const hasWritten = Object.entries(data ?? {}).some(
    ([name, value]) => name !== '__typename' && (value || !failed.has(name)),
  );
  const isRead = worst.kind === 'readFailed' || operation === 'query';
  return {
    ...worst,
    retryable: problems.every(({ retryable }) => retryable) && (isRead || !hasWritten),
    fieldErrors: problems.flatMap(({ kind, fieldErrors }) =>
      kind === worst.kind ? fieldErrors : [],
    ),
  };
}

/** The problem of one error in a GraphQL response. */
function toProblem({ message, extensions }: GraphQLErrorLike, operation: Operation): StudyProblem {
  const facts = isRecord(extensions) ? extensions : {};
  const { fieldErrors, retryAfterSeconds, retryable } = facts;
  const toText = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const code = toText(facts.code) ?? 'UNRECOGNIZED';
  const outcome = toOutcome(facts.outcome, typeof retryable === 'boolean', operation);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript does not see that `outcomes` pairs them
  return {
    kind: Object.entries(outcomes).find(([, known]) => known === outcome)?.[0],
    outcome,
    code,
    message: message ?? `The operation failed: ${code}.`,
    retryable: retryable === true && outcome !== 'UNKNOWN' && outcome !== 'APPLIED',
    fieldErrors: Array.isArray(fieldErrors) ? fieldErrors.filter(isFieldError) : [],
    upstreamMessage: toText(facts.upstreamMessage),
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
    requestId: toText(facts.requestId),
    studyId: toText(facts.studyId),
    reason: toText(facts.reason),
  } as StudyProblem;
}

function toOutcome(told: unknown, isOurs: boolean, operation: Operation): StudyProblem['outcome'] {
  if (told === 'NOT_SENT') return told;
  if (operation === 'query') return undefined;
  if (told === 'REJECTED' || told === 'APPLIED') return told;
  // The gateway's errors always have `retryable`, and lack `outcome` for reads only. An error without `retryable` comes
  // from elsewhere, and another outcome from a later version, so the outcome is unknown.
  const isRead = told === undefined && isOurs;
  return isRead && operation !== 'mutation' ? undefined : 'UNKNOWN';
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && Array.isArray(value.path) && typeof value.message === 'string';
}
