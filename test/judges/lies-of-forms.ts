import type { Row } from './judged-probe.js';

type Told = Omit<Row, 'lie' | 'by' | 'says'>;
const read = (lie: string, says: readonly RegExp[], told: Told = {}): Row => ({
  lie,
  by: 'read',
  says,
  ...told,
});
const write = (lie: string, says: readonly RegExp[], told: Told = {}): Row => ({
  ...read(lie, says, told),
  by: 'write',
});

const gone =
  /missing|absent|lack|leaves? out|left out|without|instead|not (?:sent|shown|there|found)/i;
/** A value that comes back otherwise than it was sent. */
const unlike =
  /stor|back|differ|other|chang|replac|ignor|kept|keep|lost|instead|sent|order|came|comes/i;
const creates = /createStudy|POST|create/i;
const edits = /editStudy|PATCH|edit/i;

/** Places that a person may have to settle: no value that a write sends comes back there. */
const orOpen = (name: string): readonly unknown[] => [name, ''];

/** Lies about names, envelopes and lists that a probe must find. */
export const liesOfForms: readonly Row[] = [
  read('answer-snake', [/answer/i, /created_at|snake/], {
    contract: { 'answer.createdAt': ['created_at'], 'answer.language': ['language'] },
  }),
  read('answer-kebab', [/answer/i, /created-at|kebab/], {
    contract: { 'answer.createdAt': ['created-at'], 'answer.interviewCount': ['interview-count'] },
  }),
  read('answer-pascal', [/answer/i, /CreatedAt|Pascal/], {
    contract: { 'answer.createdAt': ['CreatedAt'], 'answer.language': ['Language'] },
  }),
  write('request-snake', [/project_?Id|snake/i, /project_id|snake/], {
    contract: { 'request.projectId': ['project_id'], 'answer.projectId': ['projectId'] },
  }),
  write('request-kebab', [/project-?Id|kebab/i, /project-id|kebab/], {
    contract: { 'request.createdAt': ['created-at'] },
  }),
  write('request-pascal', [/projectId|Pascal/i, /ProjectId|Pascal/], {
    contract: { 'request.language': ['Language'], 'answer.language': ['language'] },
  }),
  write('answer-summaries', [/summaries/, /digests/], {
    contract: { 'answer.summaries': orOpen('digests') },
  }),
  write('answer-language', [/language/, /locale/], { contract: { 'answer.language': ['locale'] } }),
  write('answer-plan-id', [/planId/], { contract: { 'answer.planId': orOpen('scheme') } }),
  write('answer-bookmarked', [/bookmarked/, /starred/], {
    contract: { 'answer.bookmarked': ['starred'] },
  }),
  write('answer-created-at', [/createdAt/, /opened/], {
    contract: { 'answer.createdAt': ['opened'] },
  }),
  write('answer-interview-count', [/interviewCount/, /talks/], {
    contract: { 'answer.interviewCount': ['talks'] },
  }),
  write('answer-project-id', [/projectId/, /workspace/], {
    contract: { 'answer.projectId': ['workspace'] },
  }),
  write('answer-id', [/\bid\b/, /_id\b/], { contract: { 'answer.id': ['_id'] } }),
  write('answer-progress-completed', [/progress/, /done/], {
    contract: { 'answer.progress.completed': ['done'] },
  }),
  write('answer-files', [/files/, /papers/], { contract: { 'answer.files': ['papers'] } }),
  write('answer-research-goal-id', [/researchGoalId/, /aim/], {
    contract: { 'answer.researchGoalId': ['aim'] },
  }),
  write('answer-problems-obj', [/problemsObj/], {
    contract: { 'answer.problemsObj': orOpen('pains') },
  }),
  write('request-language', [/language/, unlike]),
  write('request-interview-count', [/interviewCount/, unlike]),
  write('request-created-at', [/createdAt/, unlike]),
  write('request-audiences', [/audiences/, unlike]),
  write('request-progress-completed', [/progress/]),
  write('swap-solution-id-research-goal-id', [/solutionId/, /researchGoalId/], {
    contract: { 'answer.solutionId': ['researchGoalId'], 'answer.researchGoalId': ['solutionId'] },
  }),
  write('swap-audiences-problems', [/audiences/, /problems/], {
    contract: { 'answer.audiences': ['problems'], 'answer.problems': ['audiences'] },
  }),
  write('swap-language-description', [/language/, /description/], {
    contract: { 'answer.language': ['description'], 'answer.description': ['language'] },
  }),
  write('swap-files-interviews', [/files/, /interviews/], {
    contract: { 'answer.files': ['interviews'], 'answer.interviews': ['files'] },
  }),
  // Whether requests or answers have the names swapped, no answer shows.
  write('swap-in-requests', [/files/, /interviews/]),
  write('swap-progress-parts', [/progress/, /completed/, /failed/], {
    contract: { 'answer.progress.completed': ['failed'], 'answer.progress.failed': ['completed'] },
  }),
  read('omit-audiences', [/audiences/, gone]),
  read('omit-plan-id', [/planId/, gone], { contract: { 'answer.planId': ['absent'] } }),
  read('omit-bookmarked', [/bookmarked/, gone], { contract: { 'answer.bookmarked': ['absent'] } }),
  read('omit-project-id', [/projectId/, gone]),
  read('omit-summaries', [/summaries/, gone]),
  read('omit-status', [/status/, gone], { contract: { 'answer.status': ['absent'] } }),
  read('omit-description', [/description/, gone], {
    contract: { 'answer.description': ['absent'] },
  }),
  write('create-refuses-knowledge-graphs', [/knowledgeGraphs/, creates], {
    contract: { 'request.absent.createStudy': [['knowledgeGraphs']] },
  }),
  write('create-refuses-files', [/files/, creates], {
    contract: { 'request.absent.createStudy': [['files']] },
  }),
  write('edit-refuses-interviews', [/interviews/, edits], {
    contract: { 'request.absent.editStudy': [['interviews']] },
  }),
  write('edit-refuses-project-id', [/projectId/, edits], {
    contract: { 'request.absent.editStudy': [['projectId']] },
  }),
  write('create-requires-language', [/language/, creates], {
    contract: { 'request.required.createStudy': [['language']] },
  }),
  write('create-requires-two', [/audiences/, /strategy/, creates], {
    contract: { 'request.required.createStudy': [['audiences', 'strategy']] },
  }),
  write('edit-requires-language', [/language/, edits], {
    contract: { 'request.required.editStudy': [['language']] },
  }),
  read('strategies-in-graphs', [/knowledgeGraphs/]),
  read('envelope-of-one', [/\bdata\b/], { contract: { 'answer.at': ['/data'] } }),
  read('envelope-of-list', [/data/], { contract: { 'operations.studies.items': ['/data/items'] } }),
  read('envelope-of-all', [/data/], {
    contract: { 'answer.at': ['/data'], 'operations.studies.items': ['/data/items'] },
    hides: true,
  }),
  read('envelope-deep', [/result/], { contract: { 'answer.at': ['/result/study'] } }),
  write('envelope-of-create', [creates, /study/], { hides: true }),
  read('study-in-array', [/array(?! of)|\ba list\b/i]),
  write('create-answers-id', [creates, gone]),
  write('edit-answers-ok', [edits, /\bid\b|study|success|UNKNOWN/]),
  read('list-at-results', [/results/], { contract: { 'operations.studies.items': ['/results'] } }),
  read('list-bare', [/array/i], { isNote: true }),
  read('list-numbers-in-meta', [/total|meta/], {
    contract: { 'operations.studies.numbers.total': ['/meta/total'] },
  }),
  read('list-null', [/items|list/i, /null|without|no /]),
  read('list-of-ids', [/text|string|object/i, /list|items|GET \/studies/i]),
  read('list-of-short', [/list/i, /field|missing|leaves out|audiences/i]),
  read('pages-from-0', [/page/i, /\b0\b|zero/i], {
    contract: { 'operations.studies.firstPage': [0] },
  }),
  read('pages-from-0-unsaid', [/page/i, /\b0\b|zero|number/i]),
  read('page-ignored', [/page/i, /ignor|always|same|again|still|first|1/i]),
  read('second-page-is-first', [/page/i, /same|again|twice|first|repeat|equal/i]),
  read('size-ignored', [/size/], {
    contract: { 'operations.studies.parameters.size': ['absent', ''] },
  }),
  read('items-beyond-size', [/size/, /more|2|limit|beyond/]),
  read('order-unstable', [/order|stable|repeat|again|twice|both|overlap/i]),
  read('total-wrong', [/total/]),
  read('total-of-page', [/total/]),
  read('total-text', [/total/], { isNote: true }),
  read('pages-wrong', [/pages/]),
  read('filter-ignored', [/project/i, /ignor|all|other|filter|exist|restrict/i], {
    contract: { 'operations.studies.parameters.projectId': ['absent', ''] },
  }),
  read('filter-first-id', [/project/i, /several|comma|two|second|only/i]),
  read('filter-refuses-several', [/project/i, /several|comma|two/i]),
  read('filter-repeated', [/project/i, /several|comma|repeat/i], {
    contract: { 'operations.studies.projects': ['repeated'] },
  }),
  read('filter-never-matches', [/project/i, /none|no |empty|0|never|nothing|without/i]),
  read('parameter-names', [/size/], {
    contract: { 'operations.studies.parameters.size': ['per_page', '', 'absent'] },
  }),
  read('list-missing', [/studies|list/i, /404|lack|no such|missing/i], {
    contract: { 'operations.studies': [false] },
  }),
  read('read-missing', [/stud/i, /405|lack|no such|missing/i], {
    contract: { 'operations.study': [false] },
  }),
  write('project-replaced', [/projectId/, unlike]),
  write('field-not-stored', [/bookmarked/, unlike]),
  write('field-not-stored-by-edit', [/audiences/, edits]),
  write('bookmarked-inverted', [/bookmarked/, unlike]),
];
