import { expect, it } from 'vitest';
import type { Answer } from './fastapi.fixture.js';
import { runWriting } from './probe.fixture.js';
import { empty, startStoring, type StoringOptions, type WriteLie } from './storing.fixture.js';

type Fields = Readonly<Record<string, unknown>>;

it.for([true, false])('finds nothing in an API that stores, readable: %s', async (canRead) => {
  const { url } = await startStoring(undefined, { canRead });

  const { exit, report, ids } = await runWriting(url);

  const findings = report.statements.filter(({ is }) => is !== 'so' && is !== 'open');
  expect(findings.flatMap(({ contract }) => contract)).toEqual(
    canRead ? [] : ['/operations/studies', '/operations/study'].map((at) => ({ at, value: false })),
  );
  expect(ids('fails', 'settle')).toEqual([]);
  expect(report.operations).toMatchObject({ createStudy: 'works', editStudy: 'works' });
  expect(exit).toBe(canRead ? 0 : 1);
});

function isMade({ status }: Answer, method: string): boolean {
  return status === 200 && method !== 'GET';
}

/** Changes the study in each answer to a write. */
function inWrites(change: (study: Fields) => Fields): WriteLie {
  return (answer, { method }) =>
    isMade(answer, method) ? { ...answer, body: change(answer.body as Fields) } : answer;
}

function rename(study: Fields, names: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(study).map(([name, value]) => [names[name] ?? name, value]),
  );
}

const snake = {
  projectId: 'project_id',
  createdAt: 'created_at',
  audiencesObj: 'audiences_obj',
  problemsObj: 'problems_obj',
  planId: 'plan_id',
  solutionId: 'solution_id',
  researchGoalId: 'research_goal_id',
  researchGoal: 'research_goal',
  knowledgeGraphs: 'knowledge_graphs',
  interviewCount: 'interview_count',
};
const camel = Object.fromEntries(Object.entries(snake).map(([name, own]) => [own, name]));

/** Refuses a create or an edit with these names by FastAPI's manner. */
function refuse(names: readonly string[], msg: string): Answer {
  return { status: 422, body: { detail: names.map((name) => ({ loc: ['body', name], msg })) } };
}

interface LyingApi extends StoringOptions {
  readonly lie?: WriteLie;
  readonly found: readonly string[];
  readonly lines?: Readonly<Record<string, unknown>>;
}

const lyingApis: Record<string, LyingApi> = {
  'replaces in an edit': {
    lie: (answer, { method, id, sent, studies }) => {
      if (method !== 'PATCH' || answer.status !== 200) return answer;
      const { projectId } = answer.body as Fields;
      const study = {
        id,
        projectId,
        audiences: [],
        audiencesObj: [],
        problems: [],
        problemsObj: [],
      };
      const whole = { ...study, files: [], planId: null, interviews: [], summaries: [], ...sent };
      studies.set(String(id), whole);
      return { ...answer, body: whole };
    },
    found: ['fails edit.merge'],
  },
  'does not clear by null': {
    lie: (answer, { sent, studies, id }) => {
      if (answer.status !== 200 || sent['description'] !== null) return answer;
      const study = { ...(answer.body as Fields), description: 'still there' };
      studies.set(String(id), study);
      return { ...answer, body: study };
    },
    found: ['differs edit.null'],
  },
  'honours idempotency keys': {
    lie: createKeys(),
    found: ['differs keys.honoured'],
    lines: { '/keys': { header: 'Idempotency-Key' } },
  },
  'cuts the digits of seconds': {
    receive: (sent) =>
      typeof sent['createdAt'] === 'string'
        ? { ...sent, createdAt: sent['createdAt'].replace(/\.(\d{3})\d+/, '.$1') }
        : sent,
    found: ['differs create.stored'],
  },
  'demands problems': {
    lie: (answer, { method, sent }) =>
      method === 'POST' && answer.status === 200 && !('problems' in sent)
        ? refuse(['problems'], 'Field required')
        : answer,
    found: ['differs create.required'],
    lines: { '/request/required/createStudy': ['problems'] },
  },
  'demands what its refusal does not name': {
    lie: (answer, { method, sent }) =>
      method === 'POST' && !('problems' in sent) ? { status: 400, body: { error: 'no' } } : answer,
    found: ['settle create.required'],
    lines: { '/request/required/createStudy': [''] },
  },
  'does not know interviews in a create': {
    lie: (answer, { method, sent }) =>
      method === 'POST' && 'interviews' in sent
        ? refuse(['interviews'], 'Extra inputs are not permitted')
        : answer,
    found: ['differs create.fields'],
    lines: { '/request/absent/createStudy': ['interviews'] },
  },
  'refuses with 200': {
    lie: (answer) =>
      answer.status === 422 || answer.status === 404
        ? { status: 200, body: { ok: false, why: 'no' } }
        : { ...answer, body: { ok: true, study: answer.body } },
    canRead: false,
    found: ['differs answer.at', 'differs write.yes'],
    lines: { '/answer/at': '/study', '/verdicts/success': { '/ok': true } },
  },
  'answers 500 to a malformed id': {
    lie: (answer, { id, method }) =>
      id === 'not-a-uuid' && method === 'PATCH' ? { status: 500, body: {} } : answer,
    found: ['differs error.status'],
  },
  'says why at a place of its own': {
    lie: (answer) =>
      answer.status === 422 ? { status: 422, body: { fault: { text: 'It is wrong' } } } : answer,
    found: ['differs error.reason'],
    lines: { '/verdicts/reason': '/fault/text' },
  },
  'has no edit': {
    lie: (answer, { method }) => (method === 'PATCH' ? { status: 405, body: {} } : answer),
    found: ['differs edit.exists'],
    lines: { '/operations/editStudy': false },
  },
  'stores no edit': {
    lie: forgetEdits(),
    found: ['differs edit.stored'],
  },
  'has ids that move a path': {
    lie: inWrites((study) => ({ ...study, id: '..' })),
    canRead: false,
    found: ['fails create.exists'],
  },
  'edits an unknown id': {
    lie: (answer, { method, id, sent }) =>
      method === 'PATCH' && answer.status === 404
        ? { status: 200, body: { ...empty, ...sent, id, projectId: id } }
        : answer,
    found: ['differs edit.exists'],
  },
  'stores no create': {
    lie: (answer, { method, studies }) => {
      if (method === 'POST') studies.clear();
      return answer;
    },
    found: ['differs read.exists', 'fails edit.exists'],
  },
  'takes codes of languages only': {
    lie: (answer, { sent: { language } }) =>
      typeof language === 'string' && language.length > 2
        ? refuse(['language'], 'unknown language')
        : answer,
    found: ['differs create.fields'],
  },
  'does not know interviews in an edit': {
    lie: (answer, { method, sent }) =>
      method === 'PATCH' && 'interviews' in sent
        ? refuse(['interviews'], 'Extra inputs are not permitted')
        : answer,
    found: ['differs edit.fields'],
    lines: { '/request/absent/editStudy': ['interviews'] },
  },
  'does not know bookmarked in an edit': {
    lie: (answer, { method, sent }) =>
      method === 'PATCH' && 'bookmarked' in sent && answer.status === 200
        ? refuse(['bookmarked'], 'Extra inputs are not permitted')
        : answer,
    found: ['differs edit.fields'],
    lines: { '/request/absent/editStudy': ['bookmarked'] },
  },
  'demands the language in an edit': {
    lie: (answer, { method, sent }) =>
      method === 'PATCH' && answer.status === 200 && !('language' in sent)
        ? refuse(['language'], 'Field required')
        : answer,
    found: ['differs edit.required'],
    lines: { '/request/required/editStudy': ['language'] },
  },
  'refuses a used idempotency key': {
    lie: createRefusedKeys(),
    found: ['differs keys.honoured'],
  },
  'trims texts': {
    receive: (sent) => mapTexts(sent, (text) => text.trim()),
    found: ['differs create.stored'],
  },
  'escapes texts': {
    lie: inWrites((study) => mapTexts(study, (text) => text.replaceAll('&', '&amp;'))),
    canRead: false,
    found: ['differs create.stored'],
  },
  'has null for an empty list': {
    lie: inWrites(({ files, ...study }) => ({
      ...study,
      files: String(files) === '' ? null : files,
    })),
    canRead: false,
    found: ['differs edit.empty'],
  },
  'has snake_case in answers': {
    lie: inWrites((study) => rename(study, snake)),
    canRead: false,
    found: ['differs answer.naming'],
    lines: { '/answer/naming': 'snake_case' },
  },
  'has snake_case in requests, and ignores other names': {
    receive: (sent) =>
      rename(Object.fromEntries(Object.entries(sent).filter(([name]) => !(name in snake))), camel),
    found: ['differs request.naming'],
    lines: { '/request/naming': 'snake_case' },
  },
  'has snake_case in requests, and refuses other names': {
    lie: (answer, { sent }) => {
      const strange = Object.keys(sent).filter((name) => name in snake);
      return strange.length > 0 ? refuse(strange, 'Extra inputs are not permitted') : answer;
    },
    receive: (sent) => rename(sent, camel),
    found: ['differs request.naming'],
    lines: { '/request/naming': 'snake_case' },
  },
  'accepts one strategy only': {
    lie: (answer, { method, sent }) =>
      method === 'PATCH' && !/problem_exploration|undefined/.test(String(sent['strategy']))
        ? refuse(['strategy'], 'Input should be known')
        : answer,
    // The fixture stores what the lie refuses.
    canRead: false,
    found: ['differs edit.strategies'],
  },
  'demands If-Match': {
    lie: (answer, { method, id }) =>
      method === 'PATCH' && id !== 'not-a-uuid' && answer.status === 200
        ? { status: 428, body: { detail: 'If-Match is required' } }
        : answer,
    found: ['fails edit.exists', 'fails edit.etag'],
  },
  'shows the title of the study under another name': {
    lie: inWrites(({ description, ...study }) => ({ ...study, question: description })),
    canRead: false,
    found: ['differs field.description'],
    lines: { '/answer/names/description': 'question' },
  },
  'shows whether a study is bookmarked under another name': {
    lie: inWrites(({ bookmarked, ...study }) => ({ isNew: true, ...study, starred: bookmarked })),
    canRead: false,
    found: ['differs field.bookmarked', 'note field.other'],
    lines: { '/answer/names/bookmarked': 'starred' },
  },
};

function mapTexts(study: Fields, change: (text: string) => string): Fields {
  return JSON.parse(JSON.stringify(study), (name, value: unknown) =>
    typeof value === 'string' && name !== 'id' && !name.endsWith('Id') ? change(value) : value,
  );
}

/** Refuses a second create with a key. */
function createRefusedKeys(): WriteLie {
  const used = new Set<unknown>();
  return (answer, { method, headers: { 'idempotency-key': key }, studies }) => {
    if (method !== 'POST' || key === undefined || answer.status !== 200) return answer;
    if (!used.has(key)) return used.add(key) && answer;
    studies.delete(String((answer.body as Fields)['id']));
    return { status: 409, body: { detail: 'Used' } };
  };
}

/** Answers edits with what they change, and keeps the studies as they were created. */
function forgetEdits(): WriteLie {
  const created = new Map<unknown, Fields>();
  return (answer, { method, id, studies }) => {
    const study = answer.body as Fields;
    if (method === 'POST') created.set(study['id'], study);
    const known = created.get(id);
    if (method === 'PATCH' && known) studies.set(String(id), known);
    return answer;
  };
}

/** Keeps the first answer to each key. */
function createKeys(): WriteLie {
  const kept = new Map<string, Answer>();
  return (answer, { method, headers: { 'idempotency-key': key }, studies }) => {
    if (method !== 'POST' || key === undefined || answer.status !== 200) return answer;
    const first = kept.get(String(key));
    if (first) studies.delete(String((answer.body as Fields)['id']));
    kept.set(String(key), first ?? answer);
    return first ?? answer;
  };
}

it.for(Object.entries(lyingApis))(
  'finds what differs in an API that %s',
  async ([, { lie, found, lines = {}, ...options }]) => {
    const { url, calls } = await startStoring(lie, options);

    const { exit, report } = await runWriting(url);

    const noReads = new Set(['list.exists', 'read.exists']);
    const findings = report.statements
      .filter(({ is }) => ['fails', 'differs', 'settle'].includes(is))
      .filter(({ id }) => options.canRead !== false || !noReads.has(id));
    const notes = report.statements.filter(
      ({ is, id }) => is === 'note' && id.startsWith('field.'),
    );
    expect([...findings, ...notes].map(({ is, id }) => `${is} ${id}`)).toEqual(found);
    const named = findings.flatMap(({ contract }) => contract);
    expect(Object.fromEntries(named.map(({ at, value }) => [at, value]))).toEqual(lines);
    expect(calls.filter(({ url: asked }) => !asked.startsWith('/studies'))).toEqual([]);
    expect(calls.filter(({ method }) => method !== 'GET').length).toBeLessThanOrEqual(30);
    expect(exit).toBe(1);
  },
);
