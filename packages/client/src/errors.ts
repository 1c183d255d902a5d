// The entry `study-gateway-client/errors`: what became of a write, without the operations.
export { formErrors, type FormErrors, type FormField } from './form-errors.js';
export { matchProblem, type ProblemCases } from './match-problem.js';
export type {
  AppliedProblem,
  FieldError,
  NotSentProblem,
  ProblemCode,
  ReadFailedProblem,
  RejectedProblem,
  StudyProblem,
  UnknownProblem,
} from './problem.js';
export { studyProblem } from './study-problem.js';
