import { expect, it } from 'vitest';
import {
  answerTruly,
  projects,
  startFastApi,
  studies,
  type Answer,
  type Asked,
  type Lie,
} from './fastapi.fixture.js';
import { runProbe } from './probe.fixture.js';

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

function withQuery(asked: Asked, change: Readonly<Record<string, string>>): Asked {
  return {
    ...asked,
    query: new URLSearchParams({ ...Object.fromEntries(asked.query), ...change }),
  };
}

/** Page 0 is the first one. */
function toNextPage(asked: Asked): Asked {
  return withQuery(asked, { page: String(Number(asked.query.get('page')) + 1) });
}

interface LyingApi {
  readonly lie: Lie;
  /** The only finding: `differs`, `fails`, `settle` or `note`, the statement and what was seen. */
  readonly found: string;
  /** Lines of the contract file that the finding names. */
  readonly lines?: readonly { readonly at: string; readonly value: unknown }[];
  readonly args?: readonly string[];
}

const named = ['--study', String(studies[0]!['id'])];

const lyingApis: Record<string, LyingApi> = {
  'has null as the status of one study': {
    lie: inStudies((study) => ({
      ...study,
      ...(study['id'] === studies[1]!['id'] && { status: null }),
    })),
    found: 'note field.status: null in 1 of 3',
  },
  'names a field plan_id': {
    lie: inStudies((study) => ({ ...without(study, 'planId'), plan_id: study['planId'] })),
    found: 'differs field.planId: `plan_id` in answers',
    lines: [{ at: '/answer/names/planId', value: 'plan_id' }],
  },
  'names an optional field solution_id': {
    lie: inStudies((study) => ({ ...without(study, 'solutionId'), solution_id: null })),
    found: 'differs field.solutionId: `solution_id` in answers',
    lines: [{ at: '/answer/names/solutionId', value: 'solution_id' }],
  },
  'omits summaries': {
    lie: inStudies((study) => without(study, 'summaries')),
    found: 'differs field.summaries: missing',
  },
  'has a string as interviewCount': {
    lie: inStudies((study) => ({ ...study, interviewCount: 'twelve' })),
    found: 'differs field.interviewCount: a string in 3 of 3',
  },
  'has a fraction as progress.total': {
    lie: inStudies((study) => ({ ...study, progress: { total: 1.5, completed: 1, failed: 0 } })),
    found: 'differs field.progress: no 32-bit integer in 3 of 3',
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
    found: 'differs field.projectId: a string that is no UUID in 3 of 3',
  },
  'has a number as strategy': {
    lie: inStudies((study) => ({ ...study, strategy: 7 })),
    found: 'differs field.strategy: a number in 3 of 3',
  },
  'has an array as strategy': {
    lie: inStudies((study) => ({ ...study, strategy: ['concept_study'] })),
    found: 'differs field.strategy: an array in 3 of 3',
  },
  'has strategies in knowledgeGraphs instead of strategy': {
    lie: inStudies((study) => ({
      ...without(study, 'strategy'),
      knowledgeGraphs: ['concept_study', 'custom_script'],
    })),
    found: 'differs answer.absent: no `strategy`',
    lines: [{ at: '/answer/absent', value: ['strategy'] }],
  },
  'writes createdAt without an offset': {
    lie: inStudies((study) => ({ ...study, createdAt: '2026-03-01T09:30:00.123456' })),
    found: 'note field.createdAt: without an offset in 3 of 3',
  },
  'writes createdAt as a date': {
    lie: inStudies((study) => ({ ...study, createdAt: '2026-03-01' })),
    found: 'differs field.createdAt: a string of another form in 3 of 3',
  },
  'writes createdAt with a space': {
    lie: inStudies((study) => ({ ...study, createdAt: '2026-03-01 09:30:00+01:00' })),
    found: 'differs field.createdAt: a string of another form in 3 of 3',
  },
  'writes createdAt as seconds': {
    lie: inStudies((study) => ({ ...study, createdAt: 1_772_357_400 })),
    found: 'differs field.createdAt: a number in 3 of 3',
  },
  'has strings in audiencesObj': {
    lie: inStudies((study) => ({ ...study, audiencesObj: ['People who left'] })),
    found: 'differs field.audiencesObj: a string inside in 3 of 3',
  },
  'compresses with an unknown encoding': {
    lie: inReads((answer) => ({ ...answer, headers: { 'content-encoding': 'compress' } })),
    found:
      'fails http.answer: a body in a content encoding other than gzip, deflate, br and zstd in 3 of 10',
  },
  'redirects the list': {
    lie: (answer, asked) =>
      isRead(asked) ? answer : { status: 307, body: null, headers: { location: '/studies/' } },
    found: 'fails http.answer: a redirect (307) in 1 of 2',
    args: named,
  },
  'has no list': {
    lie: (answer, asked) =>
      isRead(asked) ? answer : { status: 405, body: { detail: 'Method Not Allowed' } },
    found: 'differs list.exists: answered 405',
    lines: [{ at: '/operations/studies', value: false }],
    args: named,
  },
  'returns the list as a bare array': {
    lie: inPages(({ items }) => items),
    found: 'note list.items: an array',
  },
  'omits total and pages': {
    lie: inPages((page) => without(page, 'total', 'pages')),
    found: 'note list.numbers: `total`, `pages` not there',
  },
  'counts the studies of the page as total': {
    lie: inPages((page) => ({ ...page, total: (page['items'] as Fields[]).length })),
    found: 'differs list.numbers: `total` does not count the studies',
  },
  'has a total of studies that are not there': {
    lie: inPages((page) => ({ ...page, total: 10 })),
    found: 'differs list.numbers: `total` does not count the studies',
  },
  'counts one page too many': {
    lie: inPages((page) => ({ ...page, pages: Number(page['pages']) + 1 })),
    found: 'differs list.numbers: `pages` is not `total` by `size`',
  },
  'lists a study twice': {
    lie: inPages((page, query) => ({
      ...page,
      ...(query.size === 0 && { items: [studies[0], studies[1], studies[1]] }),
    })),
    found: 'differs list.items: 1 of 3 studies repeat an `id`',
  },
  'begins each list elsewhere': {
    lie: inPages((page, query) =>
      query.has('page') ? { ...page, items: studies.slice(2) } : page,
    ),
    found: 'differs list.page: the order is another one each time',
  },
  'ignores size': {
    lie: inPages((page, query) => ({
      ...page,
      size: 50,
      items: query.get('page') === '2' ? [] : query.has('projectId') ? page['items'] : studies,
    })),
    found: 'differs list.size: 3 studies, asked for 1',
    lines: [{ at: '/operations/studies/parameters/size', value: '' }],
  },
  'ignores page': {
    lie: inPages((page, query) => ({
      ...page,
      items: query.has('page') ? studies.slice(0, 1) : page['items'],
    })),
    found: 'differs list.page: page 2 shows nothing else',
    lines: [{ at: '/operations/studies/parameters/page', value: '' }],
  },
  'ignores projectId': {
    lie: inPages((page, query) => (query.has('projectId') ? { ...page, items: studies } : page)),
    found: 'differs list.project: 3 studies of a project that is not',
    lines: [{ at: '/operations/studies/parameters/projectId', value: '' }],
  },
  'returns an empty list for two project ids': {
    lie: inPages((page, query) =>
      query.get('projectId')?.includes(',') ? { ...page, items: [] } : page,
    ),
    found: 'differs list.projects: 0 of 2 studies of a project, asked for two',
  },
  'rejects two project ids': {
    lie: (answer, { query }) =>
      query.get('projectId')?.includes(',') ? { status: 422, body: { detail: [] } } : answer,
    found: 'differs list.projects: answered 422, asked for two',
  },
  'omits files and summaries in the list': {
    lie: inPages((page) => ({
      ...page,
      items: (page['items'] as Fields[]).map((item) => without(item, 'summaries', 'files')),
    })),
    found: 'differs list.fields: no `files`, `summaries` in 3 of 3',
  },
  'answers 403 without a token': {
    lie: (answer, { headers }) => (headers.authorization ? answer : { ...answer, status: 403 }),
    found: 'note auth.none: answered 403',
  },
  'answers 403 to a wrong token': {
    lie: (answer, { headers, isKnown }) =>
      headers.authorization && !isKnown ? { ...answer, status: 403 } : answer,
    found: 'note auth.wrong: answered 403',
  },
  'answers 200 to an unknown id': {
    lie: (answer) => (answer.status === 404 ? { status: 200, body: null } : answer),
    found: 'differs error.not-found: answered 200',
  },
  'has no read by id': {
    lie: (answer, asked) =>
      isRead(asked) && asked.isKnown ? { status: 405, body: { detail: 'Not Allowed' } } : answer,
    found: 'differs read.exists: answered 405 in 3 of 3',
    lines: [{ at: '/operations/study', value: false }],
  },
  'returns a study in an array': {
    lie: inReads((answer) => ({ ...answer, body: [answer.body] })),
    found: 'fails read.exists: an array in place of a study',
  },
  'returns a study with another id': {
    lie: inReads((answer) => ({
      ...answer,
      body: { ...(answer.body as Fields), id: projects[0] },
    })),
    found: 'fails read.own-id: another id in 3 of 3',
  },
  'counts pages from 0': {
    lie: (answer, asked) => {
      const page = asked.query.get('page');
      return page === null || !isSuccess(answer) ? answer : answerTruly(toNextPage(asked));
    },
    found: 'differs list.page: the first page is 0',
    lines: [{ at: '/operations/studies/firstPage', value: 0 }],
  },
  'counts the first of several project ids only': {
    lie: (answer, asked) => {
      const [project = ''] = asked.query.get('projectId')?.split(',') ?? [];
      return project === '' ? answer : answerTruly(withQuery(asked, { projectId: project }));
    },
    found: 'differs list.projects: 0 of 2 studies of a project, asked for two',
  },
  'takes several project ids only as several parameters': {
    lie: (answer, asked) => {
      const projectId = asked.query.getAll('projectId');
      if (projectId.length === 0) return answer;
      if (projectId.length > 1)
        return answerTruly(withQuery(asked, { projectId: projectId.join(',') }));
      return projectId[0]!.includes(',') ? { status: 422, body: { detail: 'no UUID' } } : answer;
    },
    found: 'differs list.projects: answered 422, asked for two',
    lines: [{ at: '/operations/studies/projects', value: 'repeated' }],
  },
  'lists studies that may not be read': {
    lie: (answer, { path, isKnown }) =>
      isKnown && answer.status === 200 && /[12]$/.test(path)
        ? { status: 403, body: { detail: 'Forbidden' } }
        : answer,
    found: 'differs read.exists: answered 403 in 2 of 3',
  },
  'answers everything with a login page': {
    lie: () => ({ status: 200, raw: '<html>Log in</html>', body: null }),
    found: 'fails http.answer: a page of HTML in 3 of 3',
  },
  'has null as a part of progress': {
    lie: inStudies((study) => ({ ...study, progress: { total: null, completed: 1, failed: 0 } })),
    found: 'note field.progress: null inside in 3 of 3',
  },
  'has another base path': {
    lie: () => ({ status: 404, body: { detail: 'Not Found' } }),
    found: 'settle http.found: 404 to everything that reads',
  },
  'accepts any token': {
    lie: (answer, asked) =>
      asked.headers.authorization ? answerTruly({ ...asked, isKnown: true }) : answer,
    found: 'differs auth.wrong: answered 200',
  },
};

it.for(Object.entries(lyingApis))(
  'finds one thing in an API that %s',
  async ([, { lie, found, lines = [], args }]) => {
    const { url } = await startFastApi(lie);

    const { exit, report } = await runProbe(url, args);

    const findings = report.statements.filter(({ is }) => is !== 'so' && is !== 'open');
    expect(findings.map(({ is, id, seen }) => `${is} ${id}: ${seen}`)).toEqual([found]);
    expect(findings[0]?.contract).toEqual(lines);
    expect(exit).toBe(found.startsWith('note') ? 0 : 1);
  },
);
