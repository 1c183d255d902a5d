'use client';

// The entry `study-gateway-client/react/strict`: hooks that throw away what arrived with an error.
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
} from '../strict.js';
import { createMutationHook } from './mutation-hook.js';
import { createLazyQueryHook, createQueryHook, createSuspenseQueryHook } from './query-hooks.js';

export type * from '../generated/strict-operations.js';

// The error policy is `none`: `data` is whole, without the `null` of a field that broke the contract, or not there.
export const useCreateStudyMutation = /* @__PURE__ */ createMutationHook(
  'CreateStudy',
  CreateStudyDocument,
  'none',
);
export const useEditStudyMutation = /* @__PURE__ */ createMutationHook(
  'EditStudy',
  EditStudyDocument,
  'none',
);
export const useStudyQuery = /* @__PURE__ */ createQueryHook(StudyDocument, 'none');
export const useStudyLazyQuery = /* @__PURE__ */ createLazyQueryHook(StudyDocument, 'none');
export const useStudySuspenseQuery = /* @__PURE__ */ createSuspenseQueryHook(StudyDocument, 'none');
export const useStudiesQuery = /* @__PURE__ */ createQueryHook(StudiesDocument, 'none');
export const useStudiesLazyQuery = /* @__PURE__ */ createLazyQueryHook(StudiesDocument, 'none');
export const useStudiesSuspenseQuery = /* @__PURE__ */ createSuspenseQueryHook(
  StudiesDocument,
  'none',
);
