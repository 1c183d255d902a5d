/** A form of an honest API, with its contract written by hand. */
export interface HonestForm {
  readonly form: string;
  readonly contract: object;
  /** Lines that may say something else too, such as an empty place that a person must settle. */
  readonly or?: Readonly<Record<string, readonly unknown[]>>;
}

const cannotRead = { study: false, studies: false };
const both = (naming: string): object => ({ request: { naming }, answer: { naming } });

export const honestForms: readonly HonestForm[] = [
  { form: 'reference', contract: {} },
  { form: 'writes-only', contract: { operations: cannotRead } },
  {
    form: 'snake-case',
    contract: {
      ...both('snake_case'),
      operations: { studies: { parameters: { projectId: 'project_id' } } },
    },
    or: { 'operations.studies.parameters.projectId': [''] },
  },
  { form: 'kebab-case', contract: { ...both('kebab-case'), operations: cannotRead } },
  { form: 'pascal-case', contract: both('PascalCase') },
  { form: 'snake-answers', contract: { answer: { naming: 'snake_case' } } },
  {
    form: 'envelope',
    contract: {
      answer: { at: '/data' },
      operations: {
        studies: {
          items: '/data',
          numbers: {
            page: '/meta/page',
            size: '/meta/size',
            total: '/meta/total',
            pages: '/meta/pages',
          },
        },
      },
    },
    or: { 'verdicts.reason': ['/errors/0/detail'] },
  },
  {
    form: 'spring',
    contract: {
      operations: {
        studies: {
          items: '/content',
          numbers: { page: '/number', total: '/totalElements', pages: '/totalPages' },
          firstPage: 0,
        },
      },
    },
    or: { 'verdicts.reason': ['/message'] },
  },
  {
    form: 'says-no-with-200',
    contract: {
      answer: { at: '/data' },
      operations: { studies: { items: '/data/items' } },
      verdicts: { success: { '/success': true }, reason: '/error/text' },
    },
    // The text under `/error` is no known form, and only a person knows that it is meant for readers.
    or: { 'verdicts.reason': ['', 'known forms'] },
  },
  { form: 'idempotency-keys', contract: { keys: {} } },
  {
    form: 'bare-list',
    contract: { operations: { studies: { absent: ['page', 'size', 'projectId'] } } },
    or: Object.fromEntries(
      ['page', 'size', 'projectId'].map((name) => [`operations.studies.parameters.${name}`, ['']]),
    ),
  },
  {
    form: 'required',
    contract: {
      request: { required: { createStudy: ['projectId', 'description', 'language'] } },
    },
    // Each create has a marker in its description, so that a person can find it.
    or: { 'request.required.createStudy': [['language', 'projectId']] },
  },
  {
    form: 'repeated-projects',
    contract: { operations: { studies: { projects: 'repeated' } } },
  },
  {
    form: 'sparse',
    contract: { answer: { absent: ['planId', 'solution', 'researchGoal', 'interviewCount'] } },
    // Both sources let these be missing, and no write sends them.
    or: { 'answer.solution': ['solution'], 'answer.researchGoal': ['researchGoal'] },
  },
  {
    form: 'literal-document',
    contract: {
      answer: {
        at: '/data',
        names: {
          id: 'studyRef',
          description: 'abstract',
          projectId: 'workspace',
          createdAt: 'opened',
          bookmarked: 'starred',
          language: 'tongue',
          audiences: 'crowds',
          audiencesObj: 'crowdBodies',
          problems: 'pains',
          problemsObj: 'painBodies',
          files: 'papers',
          planId: 'scheme',
          progress: 'state',
          'progress.total': 'all',
          'progress.completed': 'done',
          'progress.failed': 'lost',
          status: 'phase',
          solutionId: 'answerRef',
          solution: 'answerBody',
          researchGoalId: 'aimRef',
          researchGoal: 'aimBody',
          knowledgeGraphs: 'maps',
          strategy: 'approach',
          interviewCount: 'talks',
          interviews: 'talkRefs',
          summaries: 'digests',
        },
      },
      operations: cannotRead,
    },
    // No write sends a value to these: `status` may start interviews, and the others are read-only.
    or: Object.fromEntries(
      [
        'audiencesObj',
        'problemsObj',
        'planId',
        'solution',
        'researchGoal',
        'summaries',
        'status',
      ].map((field) => [`answer.${field}`, ['']]),
    ),
  },
];
