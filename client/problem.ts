/** What was refused about one value of the operation. */
export interface FieldError {
  /** From the arguments of the field: `["input", "progress", "total"]`, or `["id"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * What went wrong. The gateway's own codes are listed in its README; the last four are those of answers that
 * did not come from it. Others may be added, so this is not what to be exhaustive about: `kind` is.
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
  /** The gateway gave no answer: no connection, a lost one, or the client's own time limit. */
  | 'NETWORK_ERROR'
  /** The caller called the operation off. */
  | 'ABORTED'
  /** Somebody answered, but not the gateway: a proxy's page, or a body that was cut. */
  | 'UNREADABLE_ANSWER'
  /** Nothing that a client library makes of an answer: a defect of the page itself, for example. */
  | 'UNRECOGNIZED'
  | (string & {});

/** What every problem carries. */
export interface ProblemFacts {
  readonly code: ProblemCode;
  /** For developers and logs, in English: what went wrong, and what became of the write. */
  readonly message: string;
  /** Whether repeating the same operation does nothing twice and may go better. */
  readonly retryable: boolean;
  /** Empty when nothing is known of single values. */
  readonly fieldErrors: readonly FieldError[];
  /** How long to wait before repeating, 0 to 3600. */
  readonly retryAfterSeconds: number | undefined;
  /** The id in the gateway's log line, for whoever is asked for help. */
  readonly requestId: string | undefined;
  /** The study that was written although the answer was damaged. */
  readonly studyId: string | undefined;
  /** What the code leaves open: `IDEMPOTENCY_KEY_REUSED`, when a key was used before with other arguments. */
  readonly reason: string | undefined;
}

/** Nothing reached the Study API. Safe to repeat; of use when `retryable`. */
export interface NotSentProblem extends ProblemFacts {
  readonly kind: 'notSent';
  readonly outcome: 'NOT_SENT';
}

/** The Study API said no, and nothing was changed. */
export interface RejectedProblem extends ProblemFacts {
  readonly kind: 'rejected';
  readonly outcome: 'REJECTED';
}

/** The change was made, but the answer is damaged. Do not repeat it: read the study again. */
export interface AppliedProblem extends ProblemFacts {
  readonly kind: 'applied';
  readonly outcome: 'APPLIED';
}

/** Whether the change was made is not known. Check before repeating it. */
export interface UnknownProblem extends ProblemFacts {
  readonly kind: 'unknown';
  readonly outcome: 'UNKNOWN';
}

/** A read failed; nothing can have been changed. */
export interface ReadFailedProblem extends ProblemFacts {
  readonly kind: 'readFailed';
  readonly outcome: undefined;
}

/** What went wrong, told apart by `kind`: what became of the write, which is what a page has to answer to. */
export type StudyProblem =
  NotSentProblem | RejectedProblem | AppliedProblem | UnknownProblem | ReadFailedProblem;

/** The problem of an outcome; `undefined` is a read. */
export function toProblem(outcome: StudyProblem['outcome'], facts: ProblemFacts): StudyProblem {
  switch (outcome) {
    case 'NOT_SENT':
      return { kind: 'notSent', outcome, ...facts };
    case 'REJECTED':
      return { kind: 'rejected', outcome, ...facts };
    case 'APPLIED':
      return { kind: 'applied', outcome, ...facts };
    case 'UNKNOWN':
      return { kind: 'unknown', outcome, ...facts };
    default:
      return { kind: 'readFailed', outcome, ...facts };
  }
}
