// The operations that the benchmark sends, and the studies that its Study API answers with.

/** The caller's token, which contenders must forward to the Study API. */
export const token = 'bench-token';

/** Input of the measured mutation, with all sixteen fields of `CreateStudyInput`. */
export const input = {
  description: 'Why do people give up halfway through the sign-up?',
  projectId: '123e4567-e89b-12d3-a456-426614174000',
  createdAt: '2026-03-01T09:30:00.123Z',
  bookmarked: true,
  language: 'en',
  audiences: ['People who gave up', 'People who signed up'],
  problems: ['The form asks for too much'],
  files: ['interview-guide.pdf'],
  progress: { total: 12, completed: 3, failed: 1 },
  status: 'running',
  solutionId: '3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22',
  researchGoalId: '9c5e2d77-1b1c-4d3f-9f0a-5a4e7b8c9d33',
  knowledgeGraphs: ['graph-1'],
  strategy: 'problem_exploration',
  interviewCount: 12,
  interviews: ['interview-1'],
};

/** Input of the measured edit. */
export const editInput = { description: 'Why do people give up?', status: 'done' };

/** Length of the JSON of the study, in bytes. */
const STUDY_BYTES = 1_500;

/** Creates the study that the Study API answers with: all 23 fields. */
export function createStudy(): Record<string, unknown> {
  const audiencesObj = input.audiences.map((name) => ({ name }));
  const summaries: string[] = [];
  const study = {
    id: '0b9d1f2a-6d55-4a6e-9d5c-0c8f5d1f7a11',
    ...input,
    audiencesObj,
    problemsObj: input.problems.map((name) => ({ name })),
    planId: 'plan-7',
    solution: { id: input.solutionId },
    researchGoal: { id: input.researchGoalId },
    summaries,
  };
  let left = STUDY_BYTES - JSON.stringify(study).length;
  // Pads with texts and objects in turn.
  for (let turn = 0; left > 20; turn++) {
    const text = 'They did not see why all of it is needed. '.repeat(4).slice(0, left - 15);
    if (turn % 2 === 0) summaries.push(text);
    else audiencesObj.push({ name: text });
    left -= text.length + (turn % 2 === 0 ? 3 : 12);
  }
  return study;
}

/** Selection of all 23 fields. Objects of unknown structure are scalars in each schema. */
export const fields = `id description projectId createdAt bookmarked language audiences problems files planId
  progress { total completed failed } status solutionId researchGoalId knowledgeGraphs strategy
  interviewCount interviews summaries audiencesObj problemsObj solution researchGoal`;

/** The measured operation. */
export const document = `mutation CreateStudy($input: CreateStudyInput!) {
  createStudy(input: $input) { ${fields} }
}`;
