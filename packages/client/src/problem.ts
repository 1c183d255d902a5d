/** An error of one value in the operation's arguments. */
export interface FieldError {
  /** Path from the arguments of the root field: `["input", "progress", "total"]`, or `["id"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

interface ProblemFacts {
  /**
   * Why the operation failed: a code of docs/errors.md; without an answer from the gateway `NO_ANSWER` or `ABORTED`; for
   * an error without a code `UNRECOGNIZED`.
   */
  readonly code: string;
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
  /** Seconds to wait before a retry, 0 to 3600. */
  readonly retryAfterSeconds: number | undefined;
  /** Request id, as in the gateway's log line. Show it to users who may ask for support. */
  readonly requestId: string | undefined;
  /** Id of the study that was written although the answer of the Study API was damaged. */
  readonly studyId: string | undefined;
  /** Refines `code`. `IDEMPOTENCY_KEY_REUSED`: the key was used before, with other arguments. */
  readonly reason: string | undefined;
}

/** The outcome of each kind of problem, in the order of the harm of overlooking one, worst first. */
export const outcomes = {
  /** Nobody knows whether the change was made. Check before a retry. */
  unknown: 'UNKNOWN',
  /** The Study API made the change, but its answer is damaged. Do not retry: read the study again. */
  applied: 'APPLIED',
  /** The Study API refused the write. */
  rejected: 'REJECTED',
  /** No failed write reached the Study API. */
  notSent: 'NOT_SENT',
  /** A read failed. Reads change nothing. */
  readFailed: undefined,
} as const;

type Outcomes = typeof outcomes;

/** A failed operation. `kind` tells the outcome of a write, or that a read failed. */
export type StudyProblem = {
  [Kind in keyof Outcomes]: ProblemFacts & {
    readonly kind: Kind;
    readonly outcome: Outcomes[Kind];
  };
}[keyof Outcomes];

/**
 * Calls the case for the problem's kind and returns its result.
 *
 * @param cases one function for each kind: TypeScript refuses a missing one
 */
export function matchProblem<Result>(
  problem: StudyProblem,
  cases: {
    readonly [Kind in keyof Outcomes]: (problem: Extract<StudyProblem, { kind: Kind }>) => Result;
  },
): Result {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript does not see that case and problem have one kind
  return (cases[problem.kind] as (problem: StudyProblem) => Result)(problem);
}
