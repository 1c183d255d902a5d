'use client';

// The entry `study-gateway-client/react`: hooks that give what arrived.
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
} from '../generated/operations.js';
import { createMutationHook } from './mutation-hook.js';
import { createLazyQueryHook, createQueryHook, createSuspenseQueryHook } from './query-hooks.js';

export type * from '../generated/operations.js';

// The error policy is `all`: a field that broke the contract is `null`, and `error` has an error with its path. `mutate`
// rejects when an error left no study.
export const useCreateStudyMutation = /* @__PURE__ */ createMutationHook(
  'CreateStudy',
  CreateStudyDocument,
  'all',
);
export const useEditStudyMutation = /* @__PURE__ */ createMutationHook(
  'EditStudy',
  EditStudyDocument,
  'all',
);
export const useStudyQuery = /* @__PURE__ */ createQueryHook(StudyDocument, 'all');
export const useStudyLazyQuery = /* @__PURE__ */ createLazyQueryHook(StudyDocument, 'all');
export const useStudySuspenseQuery = /* @__PURE__ */ createSuspenseQueryHook(StudyDocument, 'all');
export const useStudiesQuery = /* @__PURE__ */ createQueryHook(StudiesDocument, 'all');
export const useStudiesLazyQuery = /* @__PURE__ */ createLazyQueryHook(StudiesDocument, 'all');
export const useStudiesSuspenseQuery = /* @__PURE__ */ createSuspenseQueryHook(
  StudiesDocument,
  'all',
);
