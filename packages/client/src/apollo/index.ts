// The entry `study-gateway-client/apollo`, for Apollo Client 4.
export * from '../generated/hooks.js';
export { addStudy, evictStudies, studyTypePolicies } from './cache.js';
export { useStudyProgress } from './study-progress.js';
