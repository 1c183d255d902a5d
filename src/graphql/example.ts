import { translate, type Contract } from 'study-gateway-contract';

/** An example operation, with the variables to run it. */
export interface Example {
  /** Root field of the operation. */
  readonly field: 'createStudy' | 'editStudy' | 'study' | 'studies';
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>> & { readonly input?: Values };
}

/** A value for each field that a write can have. */
export const exampleInput = {
  description: 'Why do people give up halfway through the sign-up?',
  projectId: '123e4567-e89b-12d3-a456-426614174000',
  createdAt: '2026-03-01T09:30:00.123456+01:00',
  bookmarked: true,
  language: 'en',
  audiences: ['People who left at step two'],
  problems: ['The form asks for too much'],
  files: ['interview-guide.pdf'],
  progress: { total: 12, completed: 0, failed: 0 },
  status: 'draft',
  solutionId: '123e4567-e89b-12d3-a456-426614174001',
  researchGoalId: '123e4567-e89b-12d3-a456-426614174002',
  knowledgeGraphs: ['sign-up'],
  strategy: 'problem_exploration',
  interviewCount: 12,
  interviews: ['interview-1'],
};

/** Returns an example without what the gateway refuses under the contract, and with what the API demands. */
export function fitExample(example: Example, contract: Contract): Example {
  const { refuse } = translate(contract);
  const { field, variables } = example;
  if (field === 'study') return example;
  if (field === 'studies') return { ...example, variables: fit(variables, refuse.studies) };
  const input = fit(variables.input ?? {}, refuse[field]);
  return { ...example, variables: { ...variables, input } };
}

export type Values = Readonly<Record<string, unknown>>;

/** Leaves out values that are refused, and adds those that are missing from `others`. */
export function fit(
  values: Values,
  refuse: (values: Values) => readonly { readonly name: string }[],
  others: Values = exampleInput,
): Values {
  const fitted: Record<string, unknown> = { ...values };
  for (const { name } of refuse(values))
    if (name in fitted) delete fitted[name];
    else fitted[name] = others[name];
  return fitted;
}

/** Fields that the examples select, at the indentation of a root field. */
const fields = `{
    id
    projectId
    description
    createdAt
    strategy
    audiences
    progress { total completed failed }
  }`;

const { projectId, description, createdAt, strategy, audiences, progress } = exampleInput;

/** The example in Apollo Sandbox, in the explorer and in the banner at the start of the gateway. */
export const createStudyExample = {
  field: 'createStudy',
  document: `mutation CreateStudy($input: CreateStudyInput!) {
  createStudy(input: $input) ${fields}
}
`,
  variables: { input: { projectId, description, createdAt, strategy, audiences, progress } },
} as const satisfies Example;

/** No study has this id. The explorer sends the id of the newest study in its place. */
export const placeholderId = '00000000-0000-0000-0000-000000000000';

export const editStudyExample = {
  field: 'editStudy',
  document: `# Run CreateStudy first.
# Uses the newest study.
mutation EditStudy($id: UUID!, $input: EditStudyInput!) {
  editStudy(id: $id, input: $input) ${fields}
}
`,
  variables: {
    id: placeholderId,
    input: {
      description: 'Why do people give up at step two?',
      progress: { total: 12, completed: 3, failed: 1 },
    },
  },
} as const satisfies Example;

export const readStudyExample: Example = {
  field: 'study',
  document: `# Run CreateStudy first.
# Uses the newest study.
query ReadStudy($id: UUID!) {
  study(id: $id) ${fields}
}
`,
  variables: { id: placeholderId },
};

export const listStudiesExample = {
  field: 'studies',
  document: `# Run CreateStudy first.
query ListStudies($page: Int, $size: Int, $projectId: [UUID!]) {
  studies(page: $page, size: $size, projectId: $projectId) {
    items { id projectId description createdAt status }
    page
    size
    total
    pages
  }
}
`,
  variables: { page: 1, size: 20 },
} as const satisfies Example;
