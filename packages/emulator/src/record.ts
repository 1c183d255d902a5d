import {
  studyRecordSchema,
  studySchema,
  type CreateStudy,
  type Study,
  type StudyRecord,
} from './schema.js';

/** Values of fields that a `POST` omits. An assumption: the document and the reference name no defaults. */
const defaults: Omit<StudyRecord, 'createdAt'> = {
  description: null,
  projectId: '00000000-0000-4000-8000-000000000000',
  bookmarked: false,
  language: 'en',
  audiences: [],
  problems: [],
  files: [],
  progress: null,
  status: 'draft',
  solutionId: null,
  researchGoalId: null,
  knowledgeGraphs: [],
  strategy: 'solution_feedback',
  interviewCount: null,
  interviews: [],
};

/** Returns a new study. `now` becomes its `createdAt` unless the body has a `createdAt`. */
export function toStudyRecord(body: CreateStudy, now: Date): StudyRecord {
  return toEditedRecord({ ...defaults, createdAt: now.toISOString() }, body);
}

/**
 * Returns `record` with the changes of `body`. Omitted fields stay unchanged, and so do omitted integers of `progress`,
 * which start at 0. An assumption: the document does not say what happens to omitted fields.
 */
export function toEditedRecord(record: StudyRecord, body: CreateStudy): StudyRecord {
  const none = { total: 0, completed: 0, failed: 0 };
  const progress = body.progress && { ...none, ...record.progress, ...body.progress };
  return studyRecordSchema.parse({ ...record, ...body, ...(progress && { progress }) });
}

/** Time that one interview of a running study takes. */
const INTERVIEW_MS = 700;

/**
 * Returns a running study as it is at a time: its interviews end one after the other, and every sixth one fails. A study
 * whose interviews have all ended is `completed`. A study that names no number has ten.
 *
 * @param elapsedMs time since the study was created
 */
export function toRunning(record: StudyRecord, elapsedMs: number): StudyRecord {
  const total = record.interviewCount ?? 10;
  const ended = Math.min(total, Math.max(0, Math.floor(elapsedMs / INTERVIEW_MS)));
  const failed = Math.floor(ended / 6);
  const progress = { total, completed: ended - failed, failed };
  return { ...record, progress, status: ended === total ? 'completed' : 'running' };
}

/** Returns the response body for a stored study, with the fields in the order of `studySchema`. */
export function toStudy(id: string, record: StudyRecord): Study {
  const { audiences, problems, solutionId, researchGoalId } = record;
  return studySchema.parse({
    ...record,
    id,
    audiencesObj: audiences.map((name) => ({ name })),
    problemsObj: problems.map((name) => ({ name })),
    planId: null,
    solution: solutionId === null ? null : { id: solutionId },
    researchGoal: researchGoalId === null ? null : { id: researchGoalId },
    summaries: [],
  });
}
