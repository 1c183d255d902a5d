// The entry `study-gateway-client/testing`: answers of the gateway, for the tests of a frontend.
import type { StudyFieldsFragment } from './generated/operations.js';
import { newIdempotencyKey } from './safe-writes/platform.js';

/** Makes a whole study as the gateway answers it. Studies differ in their ids. */
export function aStudy(fields: Partial<StudyFieldsFragment> = {}) {
  const study: StudyFieldsFragment = {
    id: newIdempotencyKey(),
    description: 'Why do people leave?',
    projectId: '123e4567-e89b-12d3-a456-426614174000',
    createdAt: '2026-03-01T09:30:00.123456+01:00',
    bookmarked: false,
    language: 'en',
    audiences: ['People who left'],
    audiencesObj: [],
    problems: [],
    problemsObj: [],
    files: [],
    planId: null,
    progress: null,
    status: 'draft',
    solutionId: null,
    solution: null,
    researchGoalId: null,
    researchGoal: null,
    knowledgeGraphs: [],
    strategy: 'problem_exploration',
    interviewCount: 12,
    interviews: [],
    summaries: [],
    ...fields,
  };
  return { __typename: 'Study' as const, ...study };
}

type Path = readonly [field: string, ...inner: string[]];

/** The response to an operation whose root field, or a field of its study, has failed. */
const fail = (path: Path, code: string, facts: object, study: object | null = null) => ({
  data: { [path[0]]: study },
  errors: [
    {
      message: `Failed in a test: ${code}.`,
      path,
      extensions: { code, retryable: false, ...facts, requestId: newIdempotencyKey() },
    },
  ],
});

const fieldErrors = [{ path: ['input', 'projectId'], message: 'There is no such project.' }];

/** One response of each kind of problem, to a write that is the root field `field`, or to a read. */
export const failedResponses = {
  notSent: (field = 'createStudy') =>
    fail([field], 'UPSTREAM_UNAVAILABLE', { outcome: 'NOT_SENT', retryable: true }),
  rejected: (field = 'createStudy') =>
    fail([field], 'BAD_USER_INPUT', { outcome: 'REJECTED', upstreamStatus: 422, fieldErrors }),
  applied: (field = 'createStudy', study: StudyFieldsFragment = aStudy()) => {
    const facts = { outcome: 'APPLIED', studyId: study.id };
    return fail([field, 'audiences'], 'UPSTREAM_CONTRACT', facts, { ...study, audiences: null });
  },
  unknown: (field = 'createStudy') => fail([field], 'UPSTREAM_UNAVAILABLE', { outcome: 'UNKNOWN' }),
  readFailed: (field = 'study') => fail([field], 'UPSTREAM_UNAVAILABLE', { retryable: true }),
} as const;
