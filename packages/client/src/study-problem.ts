import { findAnswer, isRecord, toLayers, type GraphQLErrorLike } from './answer.js';
import { outcomes, type FieldError, type StudyProblem } from './problem.js';

/** Messages of a failed `fetch` in Chrome, Node, Firefox, React Native, Safari, and in Node for a lost connection. */
const FETCH_FAILURE = /fetch|network|load failed|terminated/i;

type Operation = 'query' | 'mutation' | undefined;

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
  const layers = toLayers(error);
  const answer = findAnswer(layers);
  if (!answer) return toUnanswered(layers, operation === 'query');
  const { errors, data } = answer;
  const problems = errors.map((single) => toReported(single, operation));
  const [worst = toUnanswered([], false)] = Object.keys(outcomes).flatMap((kind) =>
    problems.filter((problem) => problem.kind === kind),
  );
  // A retry repeats the whole operation: a root field without an error may have written.
  const hasFailed = (name: string) =>
    !data?.[name] && errors.some(({ path }) => Array.isArray(path) && path[0] === name);
  const hasWritten = Object.keys(data ?? {}).some(
    (name) => name !== '__typename' && !hasFailed(name),
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
function toReported({ message, extensions }: GraphQLErrorLike, operation: Operation): StudyProblem {
  const facts = isRecord(extensions) ? extensions : {};
  const code = typeof facts.code === 'string' ? facts.code : 'UNRECOGNIZED';
  const outcome = toOutcome(facts.outcome, typeof facts.retryable === 'boolean', operation);
  const isSafe = outcome !== 'UNKNOWN' && outcome !== 'APPLIED';
  const text = message ?? `The operation failed: ${code}.`;
  return toProblem(outcome, code, text, isSafe && facts.retryable === true, facts);
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

/** The problem of an operation without an answer from the gateway: whether the operation arrived is unknown. */
function toUnanswered(layers: ReturnType<typeof toLayers>, isRead: boolean): StudyProblem {
  const { code, reason, isTransient } = toFailure(layers);
  const consequence = 'Whether anything was changed is not known: check before repeating it.';
  const message = isRead ? reason : `${reason} ${consequence}`;
  return toProblem(isRead ? undefined : 'UNKNOWN', code, message, isRead && isTransient);
}

/** `isTransient` tells whether a retry may succeed. */
function toFailure(layers: ReturnType<typeof toLayers>) {
  const names = new Set(layers.map(({ name }) => name));
  if (names.has('AbortError'))
    return { code: 'ABORTED', reason: 'The operation was called off.', isTransient: false };
  const isFetch = layers.some(
    ({ name, message }) => name === 'TypeError' && FETCH_FAILURE.test(String(message)),
  );
  if (isFetch || names.has('TimeoutError'))
    return { code: 'NETWORK_ERROR', reason: 'The gateway gave no answer.', isTransient: true };
  // Apollo Client, urql and graphql-request keep the status in `response`.
  const [status] = layers.flatMap(({ response }) =>
    isRecord(response) && typeof response.status === 'number' ? response.status : [],
  );
  // With `fetch` alone, `response.json()` throws a SyntaxError, which has no status.
  if (status !== undefined || names.has('SyntaxError'))
    return {
      code: 'UNREADABLE_ANSWER',
      reason: `The answer${status ? `, with status ${status},` : ''} is not one of the gateway's.`,
      isTransient: status !== undefined && status >= 500,
    };
  return { code: 'UNRECOGNIZED', reason: 'Something unforeseen happened.', isTransient: false };
}

/** Returns the problem with the given outcome, `undefined` for a read, and the facts of an error. */
function toProblem(
  outcome: StudyProblem['outcome'],
  code: string,
  message: string,
  retryable: boolean,
  facts: Readonly<Record<string, unknown>> = {},
): StudyProblem {
  const { fieldErrors, retryAfterSeconds } = facts;
  const toText = (value: unknown) => (typeof value === 'string' ? value : undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript does not see that `outcomes` pairs them
  return {
    kind: Object.entries(outcomes).find(([, known]) => known === outcome)?.[0],
    outcome,
    code,
    message,
    retryable,
    fieldErrors: Array.isArray(fieldErrors) ? fieldErrors.filter(isFieldError) : [],
    upstreamMessage: toText(facts.upstreamMessage),
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
    requestId: toText(facts.requestId),
    studyId: toText(facts.studyId),
    reason: toText(facts.reason),
  } as StudyProblem;
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && Array.isArray(value.path) && typeof value.message === 'string';
}
