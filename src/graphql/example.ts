import { translate, type Contract } from 'study-gateway-contract';

/** An example operation, with the variables to run it. */
export interface Example {
  /** Root field of the operation. */
  readonly field: 'createStudy' | 'editStudy' | 'study' | 'studies';
  readonly document: string;
  readonly variables: { readonly id?: string; readonly input?: Values };
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

/** Returns an example whose input has what the contract demands, and nothing that the gateway refuses under the contract. */
export function fitExample(example: Example, contract: Contract): Example {
  const { input, ...others } = example.variables;
  if (!input || example.field === 'study') return example;
  const fitted = fit(input, translate(contract).refuse[example.field]);
  return { ...example, variables: { ...others, input: fitted } };
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
    progress { total completed failed }
  }`;

const { projectId, description, createdAt, progress } = exampleInput;

/** The first example in Apollo Sandbox and in the explorer. */
export const createStudyExample: Example = {
  field: 'createStudy',
  document: `mutation CreateStudy($input: CreateStudyInput!) {
  createStudy(input: $input) ${fields}
}`,
  variables: { input: { projectId, description, createdAt, progress } },
};

/** No study has this id. The explorer sends the id of the newest study in its place. */
export const placeholderId = '00000000-0000-0000-0000-000000000000';

export const editStudyExample: Example = {
  field: 'editStudy',
  document: `# Run CreateStudy first.
mutation EditStudy($id: UUID!, $input: EditStudyInput!) {
  editStudy(id: $id, input: $input) ${fields}
}`,
  variables: { id: placeholderId, input: { description: 'Why do people give up at step two?' } },
};

export const readStudyExample: Example = {
  field: 'study',
  document: `# Run CreateStudy first.
query ReadStudy($id: UUID!) {
  study(id: $id) ${fields}
}`,
  variables: { id: placeholderId },
};

export const listStudiesExample: Example = {
  field: 'studies',
  document: `query ListStudies {
  studies {
    items { id description status }
    total
  }
}`,
  variables: {},
};
