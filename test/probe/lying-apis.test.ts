import { expect, it } from 'vitest';
import { projects, startFastApi, studies, type Answer, type Lie } from './fastapi.fixture.js';
import { runProbe } from './probe.fixture.js';

/** Assumptions that are UNKNOWN in every run against a healthy API. */
const neverSeen = ['http.retry-after'];

type Fields = Record<string, unknown>;

function isRead({ path }: { readonly path: string }): boolean {
  return path !== '/studies';
}

function isSuccess({ status }: Answer): boolean {
  return status === 200;
}

/** Changes every study, both in the list and in reads. */
function inStudies(change: (study: Fields) => Fields): Lie {
  return (answer, asked) => {
    if (!isSuccess(answer)) return answer;
    if (isRead(asked)) return { ...answer, body: change(answer.body as Fields) };
    const page = answer.body as { readonly items: readonly Fields[] };
    return { ...answer, body: { ...page, items: page.items.map(change) } };
  };
}

function inReads(change: (answer: Answer) => Answer): Lie {
  return (answer, asked) => (isRead(asked) && isSuccess(answer) ? change(answer) : answer);
}

/** Changes every page; `query` is the query of the request. */
function inPages(change: (page: Fields, query: URLSearchParams) => unknown): Lie {
  return (answer, asked) =>
    isRead(asked) || !isSuccess(answer)
      ? answer
      : { ...answer, body: change(answer.body as Fields, asked.query) };
}

function without(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

const ofList = [
  'list.page',
  'list.items',
  'list.default',
  'list.size',
  'list.page-number',
  'list.project',
  'list.projects',
];

interface LyingApi {
  readonly lie: Lie;
  readonly refuted: string;
  /** Ids of the assumptions that the lie makes UNKNOWN. */
  readonly unknown?: readonly string[];
  readonly evidence: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const named = ['--study', String(studies[0]!['id'])];

const lyingApis: Record<string, LyingApi> = {
  'has null as the status of one study': {
    lie: inStudies((study) => ({
      ...study,
      ...(study['id'] === studies[1]!['id'] && { status: null }),
    })),
    refuted: 'field.status',
    evidence: 'null in 1 of 3',
  },
  'names a field plan_id': {
    lie: inStudies((study) => ({ ...without(study, 'planId'), plan_id: study['planId'] })),
    refuted: 'field.planId',
    evidence: '`plan_id` instead in 3 of 3',
  },
  'names an optional field solution_id': {
    lie: inStudies((study) => ({ ...without(study, 'solutionId'), solution_id: null })),
    refuted: 'field.solutionId',
    evidence: '`solution_id` instead in 3 of 3',
  },
  'omits summaries': {
    lie: inStudies((study) => without(study, 'summaries')),
    refuted: 'field.summaries',
    evidence: 'missing in 3 of 3',
  },
  'has a string as interviewCount': {
    lie: inStudies((study) => ({ ...study, interviewCount: 'twelve' })),
    refuted: 'field.interviewCount',
    evidence: 'a string in 3 of 3',
  },
  'has a fraction as progress.total': {
    lie: inStudies((study) => ({ ...study, progress: { total: 1.5, completed: 1, failed: 0 } })),
    refuted: 'field.progress',
    evidence: 'a number inside in 3 of 3',
  },
  'has project ids that are not UUIDs': {
    lie: (answer, asked) => {
      const toName = (id: unknown): string => `project ${projects.indexOf(id as never) + 1}`;
      const project = asked.query.get('projectId');
      const items = studies.filter(
        ({ projectId }) => !project || project.split(',').includes(toName(projectId)),
      );
      const isFirst = !asked.query.has('size');
      const page =
        isFirst && isSuccess(answer) ? { ...(answer.body as Fields), items } : answer.body;
      const body = isRead(asked) ? answer.body : page;
      const change = inStudies((study) => ({ ...study, projectId: toName(study['projectId']) }));
      return change({ ...answer, body }, asked);
    },
    refuted: 'field.projectId',
    evidence: 'another string in 3 of 3',
  },
  'has a number as strategy': {
    lie: inStudies((study) => ({ ...study, strategy: 7 })),
    refuted: 'field.strategy',
    unknown: ['field.strategy-or-graphs'],
    evidence: 'a number in 3 of 3',
  },
  'has an array as strategy': {
    lie: inStudies((study) => ({ ...study, strategy: ['concept_study'] })),
    refuted: 'field.strategy-or-graphs',
    unknown: ['field.strategy'],
    evidence: '`strategy` is an array in 3 of 3',
  },
  'has strategies in knowledgeGraphs instead of strategy': {
    lie: inStudies((study) => ({
      ...without(study, 'strategy'),
      knowledgeGraphs: ['concept_study', 'custom_script'],
    })),
    refuted: 'field.strategy-or-graphs',
    unknown: ['field.strategy'],
    evidence: '`knowledgeGraphs` has strategies only in 3 of 3',
  },
  'writes createdAt without an offset': {
    lie: inStudies((study) => ({ ...study, createdAt: '2026-03-01T09:30:00.123456' })),
    refuted: 'field.created-at-form',
    evidence: 'without an offset in 3 of 3',
  },
  'writes createdAt as a date': {
    lie: inStudies((study) => ({ ...study, createdAt: '2026-03-01' })),
    refuted: 'field.createdAt',
    unknown: ['field.created-at-form'],
    evidence: 'a date in 3 of 3',
  },
  'writes createdAt with a space': {
    lie: inStudies((study) => ({ ...study, createdAt: '2026-03-01 09:30:00+01:00' })),
    refuted: 'field.createdAt',
    unknown: ['field.created-at-form'],
    evidence: 'a date and time in another format in 3 of 3',
  },
  'writes createdAt as seconds': {
    lie: inStudies((study) => ({ ...study, createdAt: 1_772_357_400 })),
    refuted: 'field.createdAt',
    unknown: ['field.created-at-form'],
    evidence: 'a number in 3 of 3',
  },
  'has strings in audiencesObj': {
    lie: inStudies((study) => ({ ...study, audiencesObj: ['People who left'] })),
    refuted: 'field.audiencesObj',
    evidence: 'a string inside in 3 of 3',
  },
  'answers reads with 203': {
    lie: inReads((answer) => ({ ...answer, status: 203 })),
    refuted: 'http.status',
    evidence: '203 in 3 of 9',
  },
  'sends JSON as text/plain': {
    lie: (answer) => ({ ...answer, headers: { 'content-type': 'text/plain; charset=utf-8' } }),
    refuted: 'http.media-type',
    evidence: 'text/plain as content type in 9 of 9',
  },
  'compresses with an unknown encoding': {
    lie: inReads((answer) => ({ ...answer, headers: { 'content-encoding': 'compress' } })),
    refuted: 'http.encoding',
    unknown: ['read.object', 'read.own-id', 'list.page', 'list.items'],
    evidence: 'another encoding in 3 of 13',
  },
  'redirects the list': {
    lie: (answer, asked) =>
      isRead(asked) ? answer : { status: 307, body: null, headers: { location: '/studies/' } },
    refuted: 'http.no-redirect',
    unknown: ['list.exists', ...ofList],
    evidence: '307 in 1 of 6',
    args: named,
  },
  'has no list': {
    lie: (answer, asked) =>
      isRead(asked) ? answer : { status: 405, body: { detail: 'Method Not Allowed' } },
    refuted: 'list.exists',
    unknown: ofList,
    evidence: '405',
    args: named,
  },
  'returns the list as a bare array': {
    lie: inPages(({ items }) => items),
    refuted: 'list.page',
    evidence: 'an array in 3 of 3',
  },
  'omits total and pages': {
    lie: inPages((page) => without(page, 'total', 'pages')),
    refuted: 'list.page',
    evidence: '`total` missing and `pages` missing in 3 of 3',
  },
  'lists 20 studies by default': {
    lie: inPages((page, query) => ({ ...page, ...(!query.has('size') && { size: 20 }) })),
    refuted: 'list.default',
    evidence: 'another `page` or `size` in 1 of 1',
  },
  'ignores size': {
    lie: inPages((page, query) => ({
      ...page,
      size: 50,
      items: query.get('page') === '2' ? [] : query.has('projectId') ? page['items'] : studies,
    })),
    refuted: 'list.size',
    unknown: ['list.page-number'],
    evidence: '3 studies with `size=1`',
  },
  'ignores page': {
    lie: inPages((page, query) => ({
      ...page,
      items: query.has('page') ? studies.slice(0, 1) : page['items'],
    })),
    refuted: 'list.page-number',
    evidence: 'the same study on pages 1 and 2',
  },
  'ignores projectId': {
    lie: inPages((page, query) => (query.has('projectId') ? { ...page, items: studies } : page)),
    refuted: 'list.project',
    unknown: ['list.projects'],
    evidence: '3 studies of a project that does not exist',
  },
  'returns an empty list for two project ids': {
    lie: inPages((page, query) =>
      query.get('projectId')?.includes(',') ? { ...page, items: [] } : page,
    ),
    refuted: 'list.projects',
    evidence: '0 studies for two projects, 2 for the first',
  },
  'rejects two project ids': {
    lie: (answer, { query }) =>
      query.get('projectId')?.includes(',') ? { status: 422, body: { detail: [] } } : answer,
    refuted: 'list.projects',
    evidence: '422',
  },
  'omits files and summaries in the list': {
    lie: inPages((page) => ({
      ...page,
      items: (page['items'] as Fields[]).map((item) => without(item, 'summaries', 'files')),
    })),
    refuted: 'list.items',
    evidence: 'no `files`, `summaries` in 3 of 3',
  },
  'answers 403 without a token': {
    lie: (answer, { headers }) => (headers.authorization ? answer : { ...answer, status: 403 }),
    refuted: 'auth.none',
    evidence: '403 in 1 of 1',
  },
  'answers 403 to a wrong token': {
    lie: (answer, { headers, isKnown }) =>
      headers.authorization && !isKnown ? { ...answer, status: 403 } : answer,
    refuted: 'auth.wrong',
    evidence: '403 in 1 of 1',
  },
  'answers 200 to an unknown id': {
    lie: (answer) => (answer.status === 404 ? { status: 200, body: null } : answer),
    refuted: 'error.not-found',
    evidence: '200 in 1 of 1',
  },
  'has its own format of a 422': {
    lie: (answer) => (answer.status === 422 ? { status: 422, body: { errors: ['id'] } } : answer),
    refuted: 'error.validation',
    evidence: 'another body in 1 of 1',
  },
  'has no read by id': {
    lie: (answer, asked) =>
      isRead(asked) && asked.isKnown ? { status: 405, body: { detail: 'Not Allowed' } } : answer,
    refuted: 'read.exists',
    unknown: [
      'auth.none',
      'auth.wrong',
      'error.not-found',
      'error.validation',
      'read.object',
      'read.own-id',
      'list.items',
    ],
    evidence: '405 in 3 of 3',
  },
  'returns a study in an array': {
    lie: inReads((answer) => ({ ...answer, body: [answer.body] })),
    refuted: 'read.object',
    unknown: ['read.own-id', 'list.items'],
    evidence: 'an array in 3 of 3',
  },
  'returns a study with another id': {
    lie: inReads((answer) => ({
      ...answer,
      body: { ...(answer.body as Fields), id: projects[0] },
    })),
    refuted: 'read.own-id',
    unknown: ['list.items'],
    evidence: 'another id in 3 of 3',
  },
  'sends an invalid Retry-After': {
    lie: (answer) =>
      answer.status === 404 ? { ...answer, headers: { 'retry-after': 'soon' } } : answer,
    refuted: 'http.retry-after',
    evidence: 'another format in 1 of 1',
  },
  'sends a body over the limit': {
    lie: (answer, { path }) =>
      path.endsWith('1')
        ? { ...answer, body: { ...(answer.body as Fields), more: 'x'.repeat(99_999) } }
        : answer,
    refuted: 'http.size',
    evidence: 'too long in 1 of 13',
    env: { STUDY_API_MAX_ANSWER_BYTES: '50000' },
  },
};

it.for(Object.entries(lyingApis))(
  'refutes exactly one assumption about an API that %s',
  async ([, { lie, refuted, unknown = [], evidence, args, env }]) => {
    const { url } = await startFastApi(lie);

    const { exit, ids, finding } = await runProbe(url, args, env);

    expect(exit).toBe(1);
    expect(ids('REFUTED')).toEqual([refuted]);
    expect(finding(refuted)?.evidence).toBe(evidence);
    const expected = [...neverSeen.filter((id) => id !== refuted), ...unknown];
    expect(ids('UNKNOWN').toSorted()).toEqual(expected.toSorted());
  },
);
