/** An error of one value in the operation's arguments. */
export interface FieldError {
  /** Path from the arguments of the root field: `["input", "progress", "total"]`, or `["id"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Why an operation failed. docs/errors.md lists the gateway's codes; the last four stand for failures without an
 * answer from the gateway. Later versions may add codes: match exhaustively on `kind`, not on `code`.
 */
export type ProblemCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_ERROR'
  | 'UPSTREAM_CONTRACT'
  | 'OVERLOADED'
  | 'INTERNAL_SERVER_ERROR'
  /** No answer: the connection failed or was lost, or the client's own timeout passed. */
  | 'NETWORK_ERROR'
  /** The caller aborted the operation. */
  | 'ABORTED'
  /** An HTTP answer that is not the gateway's, such as a proxy's error page or a truncated body. */
  | 'UNREADABLE_ANSWER'
  /** Not an error of a GraphQL client library: a bug in the page, for example. */
  | 'UNRECOGNIZED'
  | (string & {});

/** Properties of every problem. */
export interface ProblemFacts {
  readonly code: ProblemCode;
  /** For developers and logs, in English: why the operation failed, and the outcome of a write. */
  readonly message: string;
  /** True if a retry of the complete operation writes nothing twice and may succeed. */
  readonly retryable: boolean;
  /** Errors of single values in the arguments. Empty when no single value is known to be wrong. */
  readonly fieldErrors: readonly FieldError[];
  /**
   * Why the Study API refused, in its own words, when this belongs to no single value: plain text of at most 200
   * characters, without HTML. Show it as text, never as markup.
   */
  readonly upstreamMessage: string | undefined;
  /** Seconds to wait before a retry, 0 to 3600; more only for an idempotency key for which there is no room. */
  readonly retryAfterSeconds: number | undefined;
  /** Request id, as in the gateway's log line. Show it to users who may ask for support. */
  readonly requestId: string | undefined;
  /** Id of the study that was written although the answer of the Study API was damaged. */
  readonly studyId: string | undefined;
  /** Refines `code`. `IDEMPOTENCY_KEY_REUSED`: the key was used before, with other arguments. */
  readonly reason: string | undefined;
}

/** No failed write reached the Study API. A retry of the whole operation is safe, and may succeed, when `retryable`. */
export interface NotSentProblem extends ProblemFacts {
  readonly kind: 'notSent';
  readonly outcome: 'NOT_SENT';
}

/** The Study API refused the write. */
export interface RejectedProblem extends ProblemFacts {
  readonly kind: 'rejected';
  readonly outcome: 'REJECTED';
}

/** The Study API made the change, but its answer is damaged. Do not retry: read the study again. */
export interface AppliedProblem extends ProblemFacts {
  readonly kind: 'applied';
  readonly outcome: 'APPLIED';
}

/** Nobody knows whether the change was made. Check before a retry. */
export interface UnknownProblem extends ProblemFacts {
  readonly kind: 'unknown';
  readonly outcome: 'UNKNOWN';
}

/** A read failed. Reads change nothing. */
export interface ReadFailedProblem extends ProblemFacts {
  readonly kind: 'readFailed';
  readonly outcome: undefined;
}

/** A failed operation. `kind` tells the outcome of a write, or that a read failed. */
export type StudyProblem =
  NotSentProblem | RejectedProblem | AppliedProblem | UnknownProblem | ReadFailedProblem;

const KINDS = {
  NOT_SENT: 'notSent',
  REJECTED: 'rejected',
  APPLIED: 'applied',
  UNKNOWN: 'unknown',
} satisfies Record<NonNullable<StudyProblem['outcome']>, StudyProblem['kind']>;

/** Returns the problem with the given outcome; the outcome `undefined` stands for a read. */
export function toProblem(outcome: StudyProblem['outcome'], facts: ProblemFacts): StudyProblem {
  const kind = outcome ? KINDS[outcome] : 'readFailed';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript does not see that `KINDS` pairs them
  return { kind, outcome, ...facts } as StudyProblem;
}

/** One function for each kind of problem. TypeScript refuses a missing function. */
export type ProblemCases<Result> = {
  readonly [Kind in StudyProblem['kind']]: (
    problem: Extract<StudyProblem, { kind: Kind }>,
  ) => Result;
};

/** Calls the case for the problem's kind and returns its result. TypeScript refuses a missing case. */
export function matchProblem<Result>(problem: StudyProblem, cases: ProblemCases<Result>): Result {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript does not see that case and problem have one kind
  return (cases[problem.kind] as (problem: StudyProblem) => Result)(problem);
}
