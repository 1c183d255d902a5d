// The entry `study-gateway-client`: operations, what became of a write, and safe writes, for any GraphQL client.
export * from './generated/operations.js';
export { formErrors, type FormErrors, type FormField } from './form-errors.js';
export { matchProblem, type FieldError, type StudyProblem } from './problem.js';
export { retryIfSafe } from './retry-if-safe.js';
export { newIdempotencyKey, type WriteStorage } from './safe-writes/platform.js';
export { safeWrites, type SafeWrites, type SafeWritesOptions } from './safe-writes/safe-writes.js';
export type { UnsettledWrite, UnsettledWrites } from './safe-writes/unsettled-writes.js';
export { studyProblem } from './study-problem.js';
