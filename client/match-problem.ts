import type { StudyProblem } from './problem.js';

/** What to make of each kind of problem. None can be left out. */
export type ProblemCases<Result> = {
  readonly [Kind in StudyProblem['kind']]: (
    problem: Extract<StudyProblem, { kind: Kind }>,
  ) => Result;
};

/** What the case of the problem's kind makes of it. A case that is left out does not type-check. */
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
