/** A whole answer of the Study API, with every one of its 23 fields set. */
export const wholeStudy = {
  id: '0b9d1f2a-6d55-4a6e-9d5c-0c8f5d1f7a11',
  description: 'Why do people leave?',
  projectId: '123e4567-e89b-12d3-a456-426614174000',
  createdAt: '2026-03-01T09:30:00.123456+01:00',
  bookmarked: true,
  language: 'en',
  audiences: ['People who left'],
  audiencesObj: [{ name: 'People who left', size: 3 }],
  problems: ['It takes too long'],
  problemsObj: [{ name: 'It takes too long' }],
  files: ['interview.pdf'],
  planId: 'plan-7',
  progress: { total: 12, completed: 3, failed: 1 },
  status: 'running',
  solutionId: '3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22',
  solution: { id: '3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22', title: 'A shorter form' },
  researchGoalId: '9c5e2d77-1b1c-4d3f-9f0a-5a4e7b8c9d33',
  researchGoal: { text: 'Find the step' },
  knowledgeGraphs: ['graph-1'],
  strategy: 'problem_exploration',
  interviewCount: 12,
  interviews: ['interview-1'],
  summaries: ['summary-1'],
};

/** A page of studies as the Study API answers it. */
export function toPage(
  items: readonly unknown[],
  more: object = {},
): Readonly<Record<string, unknown>> {
  return { items, total: items.length, page: 1, size: 50, pages: 1, ...more };
}
