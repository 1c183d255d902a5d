import type { StudyProblem } from './problem.js';

/** One function for each kind of problem. TypeScript refuses a missing function. */
export type ProblemCases<Result> = {
  readonly [Kind in StudyProblem['kind']]: (
    problem: Extract<StudyProblem, { kind: Kind }>,
  ) => Result;
};

/** Calls the case for the problem's kind and returns its result. TypeScript refuses a missing case. */
export function matchProblem<Result>(problem: StudyProblem, cases: ProblemCases<Result>): Result {
  switch (problem.kind) {
    case 'notSent':
      return cases.notSent(problem);
    case 'rejected':
      return cases.rejected(problem);
    case 'applied':
      return cases.applied(problem);
    case 'unknown':
      return cases.unknown(problem);
    default:
      return cases.readFailed(problem);
  }
}
