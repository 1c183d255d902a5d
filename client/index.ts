// The entry `study-gateway/client`: the project's only barrel.
export type * from './generated/operations.js';
export {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
  StudyFieldsFragmentDoc,
} from './generated/operations.js';
export { evictStudies, studyTypePolicies } from './apollo-cache.js';
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
export { retryDelay, retryIfSafe } from './retry-if-safe.js';
export { studyProblem } from './study-problem.js';
