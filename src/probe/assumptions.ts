import { fieldAssumptions } from './field.assumptions.js';
import { httpAssumptions } from './http.assumptions.js';
import { listAssumptions, readAssumptions } from './read.assumptions.js';
import type { Assumption } from './verdict.js';

/** Assumptions that only a write could test. The probe sends no writes. */
const writeAssumptions: readonly Assumption[] = [
  {
    id: 'create.exists',
    claim: '`POST /studies` stores a study and answers with it.',
    source: 'document',
    place: 'study/study.api.ts',
  },
  {
    id: 'create.fields',
    claim: 'A create accepts the sixteen fields of the document, with their types.',
    source: 'document',
    place: 'study/study.input.ts',
  },
  {
    id: 'create.none-required',
    claim: 'No field of a create is required.',
    source: 'assumed',
    place: 'study/study.input.ts',
  },
  {
    id: 'create.strategy',
    claim: 'The six strategies are accepted in requests.',
    source: 'reference',
    place: 'study/study.input.ts',
  },
  {
    id: 'edit.exists',
    claim: '`PATCH /studies/{study_id}` edits a study and answers with it.',
    source: 'document',
    place: 'study/study.api.ts',
  },
  {
    id: 'edit.fields',
    claim: 'An edit accepts the thirteen fields of the document, with their types.',
    source: 'document',
    place: 'study/study.input.ts',
  },
  {
    id: 'edit.omitted',
    claim: 'An edit leaves omitted fields unchanged.',
    source: 'assumed',
    place: 'study/study.wire.ts',
  },
  {
    id: 'write.success',
    claim: 'A 2xx that shows the `id` of the study means that the write was made.',
    source: 'assumed',
    place: 'rest-outcome/answer.ts',
  },
  {
    id: 'write.created-at',
    claim: 'The API stores `createdAt` exactly as it was sent.',
    source: 'assumed',
    place: 'scalars/scalars.ts',
  },
];

/** All assumptions about the Study API. The table in docs/study-api.md is generated from this list. */
export const assumptions: readonly Assumption[] = [
  ...httpAssumptions,
  ...readAssumptions,
  ...fieldAssumptions,
  ...listAssumptions,
  ...writeAssumptions,
];
