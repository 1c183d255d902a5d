import { z } from 'zod';
import { dateTime, integer, strategy, uuid } from './field.schema.js';

const strings = z.array(z.string());

/** The document's Progress object. */
export const progressSchema = z
  .strictObject({ total: integer, completed: integer, failed: integer })
  .meta({ description: 'Progress of the study, in three integers.' });

/** Assumption: none of the three is required in a request, as no other field is known to be. */
export const progressRequestSchema = progressSchema
  .partial()
  .meta({ description: 'The integers that are left out stay as they are; they start at 0.' });

/**
 * The sixteen fields of the document's request table, as they are stored. `null` is allowed where the
 * response has it.
 */
export const studyRecordSchema = z.strictObject({
  description: z.string().nullable().meta({ description: 'Free text.' }),
  projectId: uuid.meta({ description: 'The project that the study belongs to.' }),
  createdAt: dateTime.meta({ description: 'ISO 8601 date-time, kept verbatim.' }),
  bookmarked: z.boolean().meta({ description: 'true or false.' }),
  language: z.string().meta({ description: 'Free text.' }),
  audiences: strings.meta({ description: 'Audiences of the study.' }),
  problems: strings.meta({ description: 'Problems of the study.' }),
  files: strings.meta({ description: 'Files of the study.' }),
  progress: progressSchema.nullable(),
  status: z.string().meta({ description: 'Free text; its allowed values are not documented.' }),
  solutionId: uuid.nullable().meta({ description: 'The id of the solution.' }),
  researchGoalId: uuid.nullable().meta({ description: 'The id of the research goal.' }),
  knowledgeGraphs: strings.meta({ description: 'Knowledge graphs of the study.' }),
  strategy: strategy.meta({ description: 'One of the six documented strategies.' }),
  interviewCount: integer.nullable().meta({ description: 'The count of interviews.' }),
  interviews: strings.meta({ description: 'Interviews of the study.' }),
});

export type StudyRecord = z.infer<typeof studyRecordSchema>;

/**
 * The body of `POST /studies`. No field is required, because none is known to be.
 *
 * Assumption: the document calls `strategy` free text in requests, but its response has six values only
 * and the emulator answers with what it was sent, so it refuses every other value.
 */
export const createStudySchema = studyRecordSchema
  .extend({
    progress: progressRequestSchema.nullable(),
    strategy: strategy.meta({ description: 'One of the six values that the response allows.' }),
  })
  .partial();

export type CreateStudy = z.infer<typeof createStudySchema>;

/** The body of `PATCH /studies/{study_id}`: the document's thirteen fields. */
export const editStudySchema = createStudySchema.omit({
  problems: true,
  solutionId: true,
  researchGoalId: true,
});

export type EditStudy = z.infer<typeof editStudySchema>;

/** Assumption: the document says "object" and no more; the emulator's have a name. */
const named = z.strictObject({ name: z.string() });

/** Assumption: the document says "object or null" and no more; the emulator's have their id. */
const identified = z.strictObject({ id: uuid }).nullable();

const { shape } = studyRecordSchema;

/** A study in every response, in the order of the reference. */
export const studySchema = z.strictObject({
  id: uuid.meta({ description: 'The id of the study, given by the server.' }),
  description: shape.description,
  projectId: shape.projectId,
  createdAt: shape.createdAt,
  bookmarked: shape.bookmarked,
  language: shape.language,
  audiences: shape.audiences,
  audiencesObj: z.array(named).meta({ description: 'One object per audience.' }),
  problems: shape.problems,
  problemsObj: z.array(named).meta({ description: 'One object per problem.' }),
  files: shape.files,
  planId: z
    .string()
    .nullable()
    .meta({ description: 'The id of the plan; always null in the emulator.' }),
  progress: shape.progress,
  status: shape.status,
  solutionId: shape.solutionId,
  solution: identified.meta({
    description: 'The solution as an object; null without a solutionId.',
  }),
  researchGoalId: shape.researchGoalId,
  researchGoal: identified.meta({
    description: 'The research goal as an object; null without a researchGoalId.',
  }),
  knowledgeGraphs: shape.knowledgeGraphs,
  strategy: shape.strategy,
  interviewCount: shape.interviewCount,
  interviews: shape.interviews,
  summaries: strings.meta({ description: 'Summaries of the study; always empty in the emulator.' }),
});

export type Study = z.infer<typeof studySchema>;

/** The response of the list. That it is the page of fastapi-pagination is inferred. */
export const studyPageSchema = z.strictObject({
  items: z.array(studySchema).meta({ description: 'The studies, the newest first.' }),
  total: z.int().meta({ description: 'The number of studies on all pages.' }),
  page: z.int().meta({ description: 'The number of this page, from 1.' }),
  size: z.int().meta({ description: 'Most studies of a page.' }),
  pages: z.int().meta({ description: 'The number of pages; 0 without studies.' }),
});

export type StudyPage = z.infer<typeof studyPageSchema>;
