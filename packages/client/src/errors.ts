// The entry `study-gateway-client/errors`: what became of a write, without the operations.
export { formErrors, type FormErrors, type FormField } from './form-errors.js';
export {
  matchProblem,
  type AppliedProblem,
  type FieldError,
  type NotSentProblem,
  type ProblemCases,
  type ProblemCode,
  type ReadFailedProblem,
  type RejectedProblem,
  type StudyProblem,
  type UnknownProblem,
} from './problem.js';
export { studyProblem } from './study-problem.js';
