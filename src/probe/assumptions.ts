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
    consequence: '`createStudy` fails.',
    change: 'Correct the call in `create` of study/study.api.ts.',
  },
  {
    id: 'create.fields',
    claim: 'A create accepts the sixteen fields of the document, with their types.',
    source: 'document',
    place: 'study/study.input.ts',
    consequence: 'The create is `REJECTED`.',
    change: 'Correct `CreateStudyInput` in study/study.input.ts.',
  },
  {
    id: 'create.none-required',
    claim: 'No field of a create is required.',
    source: 'assumed',
    place: 'study/study.input.ts',
    consequence:
      'The API rejects a create without the field, which the schema could have refused before.',
    change: 'Make the field non-null in study/study.input.ts.',
  },
  {
    id: 'create.strategy',
    claim: 'The six strategies are accepted in requests.',
    source: 'reference',
    place: 'study/study.input.ts',
    consequence: 'The write is `REJECTED`.',
    change: 'In study/study.input.ts, describe the values that the API accepts.',
  },
  {
    id: 'edit.exists',
    claim: '`PATCH /studies/{study_id}` edits a study and answers with it.',
    source: 'document',
    place: 'study/study.api.ts',
    consequence: '`editStudy` fails.',
    change: 'Correct the call in `edit` of study/study.api.ts.',
  },
  {
    id: 'edit.fields',
    claim: 'An edit accepts the thirteen fields of the document, with their types.',
    source: 'document',
    place: 'study/study.input.ts',
    consequence: 'The edit is `REJECTED`.',
    change: 'Correct `EditStudyInput` in study/study.input.ts.',
  },
  {
    id: 'edit.omitted',
    claim: 'An edit leaves omitted fields unchanged.',
    source: 'assumed',
    place: 'study/study.wire.ts',
    consequence: 'An edit clears omitted fields, because the gateway does not send them.',
    change: 'Send all thirteen fields from frontends.',
  },
  {
    id: 'write.success',
    claim: 'A 2xx that shows the `id` of the study means that the write was made.',
    source: 'assumed',
    place: 'rest/answer.ts',
    consequence: 'A write that was not made may appear as a success, or as `APPLIED`.',
    change: 'Distinguish the answers in rest/answer.ts.',
  },
  {
    id: 'write.created-at',
    claim: 'The API stores `createdAt` exactly as it was sent.',
    source: 'assumed',
    place: 'scalars/scalars.ts',
    consequence: 'No effect: the answer shows the stored value.',
    change: 'Nothing.',
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
