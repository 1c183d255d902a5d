/** The operation that the page at `/graphql` and the banner show. */
export const createStudyExample = {
  document: `mutation CreateStudy($input: CreateStudyInput!) {
  createStudy(input: $input) {
    id
    projectId
    description
    createdAt
    strategy
    audiences
    progress {
      total
      completed
      failed
    }
  }
}
`,
  variables: {
    input: {
      projectId: '123e4567-e89b-12d3-a456-426614174000',
      description: 'Why do people give up halfway through the sign-up?',
      createdAt: '2026-03-01T09:30:00.123456+01:00',
      strategy: 'problem_exploration',
      audiences: ['People who left at step two'],
      progress: { total: 12, completed: 0, failed: 0 },
    },
  },
} as const;
