'use client';

// The entry `study-gateway-client/apollo`: hooks for Apollo Client 4.
export * from '../generated/hooks.js';
export { useStudyProgress, type StudyProgressOptions } from './study-progress.js';
