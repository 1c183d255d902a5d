import * as z from 'zod';

/** Any 8-4-4-4-12 hexadecimal UUID: every version and case, the nil UUID included. */
export const uuid = z.guid();

/** A signed 32-bit integer, like GraphQL's `Int`. The limit is an assumption: no source names one. */
const integer = z.int32();

/** An ISO 8601 date-time with an offset. Stays a string, so that no digit is lost. */
const dateTime = z.iso.datetime({ offset: true });

/** The six values of `strategy`. The document lists the values without a name; the public reference names the field. */
const strategy = z.enum([
  'solution_feedback',
  'problem_exploration',
  'custom_script',
  'dynamic_interview',
  'ethnographic_research',
  'concept_study',
]);

const strings = z.array(z.string());

/** Schema of `progress` in stored studies and responses, as documented. */
const progressSchema = z.strictObject({ total: integer, completed: integer, failed: integer });

/**
 * Schema of `progress` in requests: omitted integers stay unchanged, and their initial value is 0. Assumption: no integer
 * is required, as no other field is known to be required.
 */
const progressRequestSchema = progressSchema.partial();

/** Schema of audiences and problems as objects. Assumption: an object has a name; the document says only "object". */
const named = z.strictObject({ name: z.string() });

/** Schema of `solution` and `researchGoal`. Assumption: an object has an id; the document says "object or null". */
const identified = z.strictObject({ id: uuid }).nullable();

/** Schema of a study in responses, with the fields in the order of the public reference. */
export const studySchema = z.strictObject({
  id: uuid,
  description: z.string().nullable(),
  projectId: uuid,
  createdAt: dateTime,
  bookmarked: z.boolean(),
  language: z.string(),
  audiences: strings,
  audiencesObj: z.array(named),
  problems: strings,
  problemsObj: z.array(named),
  files: strings,
  // Always null in the emulator.
  planId: z.string().nullable(),
  progress: progressSchema.nullable(),
  status: z.string(),
  solutionId: uuid.nullable(),
  solution: identified,
  researchGoalId: uuid.nullable(),
  researchGoal: identified,
  knowledgeGraphs: strings,
  strategy,
  interviewCount: integer.nullable(),
  interviews: strings,
  // Always empty in the emulator.
  summaries: strings,
});

export type Study = z.infer<typeof studySchema>;

/** Schema of a stored study: the sixteen fields of the document's request table. */
export const studyRecordSchema = studySchema.omit({
  id: true,
  audiencesObj: true,
  problemsObj: true,
  planId: true,
  solution: true,
  researchGoal: true,
  summaries: true,
});

export type StudyRecord = z.infer<typeof studyRecordSchema>;

/**
 * Schema of the body of `POST /studies`. No field is required, because no field is known to be required.
 *
 * Assumption: only the six values of `strategy` are accepted. The document calls `strategy` free text in requests, but
 * allows only these values in responses, and the emulator returns the value that it stored.
 */
export const createStudySchema = studyRecordSchema
  .extend({ progress: progressRequestSchema.nullable() })
  .partial();

export type CreateStudy = z.infer<typeof createStudySchema>;

/** Schema of the body of `PATCH /studies/{study_id}`: the thirteen fields that the document names. */
export const editStudySchema = createStudySchema.omit({
  problems: true,
  solutionId: true,
  researchGoalId: true,
});

/** Schema of the response of `GET /studies`. Inferred: the format is that of fastapi-pagination. */
export const studyPageSchema = z.strictObject({
  items: z.array(studySchema),
  total: z.int(),
  page: z.int(),
  size: z.int(),
  pages: z.int(),
});
