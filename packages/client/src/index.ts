// The entry `study-gateway-client`: operations and error kit, for any GraphQL client.
export type * from './generated/operations.js';
export {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
  StudyFieldsFragmentDoc,
} from './generated/operations.js';
export { addStudy, evictStudies, optimisticStudy, studyTypePolicies } from './apollo-cache.js';
export * from './errors.js';
export {
  IdempotencyKeys,
  newIdempotencyKey,
  type KeyStorage,
  type UnsettledWrite,
} from './idempotency-keys.js';
export { safeWrites, type SafeWrites, type SafeWritesOptions } from './safe-writes/safe-writes.js';
export type { WriteStorage } from './safe-writes/platform.js';
export type {
  UnsettledWrite as SafeWrite,
  UnsettledWrites,
} from './safe-writes/unsettled-writes.js';
export { retryDelay, retryIfSafe } from './retry-if-safe.js';
export { retryLostWrites } from './retry-lost-writes.js';
