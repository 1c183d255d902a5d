import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { everyNth } from '../support/daily.js';
import { waitForUrl } from '../support/program.js';
import { useStudyApis, type Asked } from './study-apis.fixture.js';

/** Each field, and a name that no rule finds. */
const fields = `id=uid description=brief projectId=workspace createdAt=born bookmarked=starred language=tongue
  audiences=listeners audiencesObj=listener_cards problems=pains problemsObj=pain_cards files=papers planId=blueprint
  progress=meter total=all completed=done failed=lost status=phase solutionId=remedy solution=remedy_card
  researchGoalId=quest researchGoal=quest_card knowledgeGraphs=kg_ids strategy=method interviewCount=talk_count
  interviews=talks summaries=digests`;
const names: Record<string, string> = Object.fromEntries(
  fields.split(/\s+/).map((pair) => pair.split('=')),
);
/** What a person writes into the empty places of the contract of the foreign API. */
const answers = {
  ...names,
  items: '/content',
  page: 'p',
  size: 'n',
  path: '/studies/{id}/details',
};

const edit = '/studies/{study_id}/details';
const list = { items: 'content', first: 0, page: 'p', size: 'n' };
const snake = { request: 'snake_case', answer: 'snake_case' };
const narrow = { reads: false, refused: ['bookmarked'], absent: ['planId'], problem: true };
const forms = {
  plain: {},
  camel: {},
  snake,
  answers: { answer: 'snake_case' },
  foreign: { request: names, answer: names, edit, list },
  data: { around: 'data', base: '/api/v1' },
  narrow: { ...snake, ...narrow, required: ['description', 'projectId'] },
  verdicts: { around: 'data', ok: true },
};

const id = '00000000-0000-4000-8000-000000000001';
const projectId = '123e4567-e89b-12d3-a456-426614174000';
const goal = '9c5e2d77-1b1c-4d3f-9f0a-5a4e7b8c9d33';

/** The bodies of a create and an edit with all fields, written by hand. Some values are names of fields. */
const camelBodies = [
  `{"description":"Why “leave”?\\n","projectId":"${projectId}","createdAt":"2026-03-01T09:30:00.123456+01:00",` +
    '"bookmarked":true,"language":"projectId","audiences":["createdAt","People"],"files":[],' +
    '"progress":{"total":12,"completed":3,"failed":1},"status":"running","knowledgeGraphs":["kg-1"],' +
    '"strategy":"concept_study","interviewCount":12,"interviews":["i-1"],"problems":["Slow"],' +
    `"solutionId":"3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22","researchGoalId":"${goal}"}`,
  `{"description":null,"projectId":"${projectId}","createdAt":"2026-03-02T00:00:00+00:00",` +
    '"bookmarked":false,"language":"de","audiences":[],"files":["a.pdf"],' +
    '"progress":{"total":13,"completed":4,"failed":0},"status":"done","knowledgeGraphs":[],' +
    '"strategy":"custom_script","interviewCount":0,"interviews":[]}',
] as const;
const snakeBodies = [
  `{"description":"Why “leave”?\\n","project_id":"${projectId}","created_at":"2026-03-01T09:30:00.123456+01:00",` +
    '"bookmarked":true,"language":"projectId","audiences":["createdAt","People"],"files":[],' +
    '"progress":{"total":12,"completed":3,"failed":1},"status":"running","knowledge_graphs":["kg-1"],' +
    '"strategy":"concept_study","interview_count":12,"interviews":["i-1"],"problems":["Slow"],' +
    `"solution_id":"3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22","research_goal_id":"${goal}"}`,
  `{"description":null,"project_id":"${projectId}","created_at":"2026-03-02T00:00:00+00:00",` +
    '"bookmarked":false,"language":"de","audiences":[],"files":["a.pdf"],' +
    '"progress":{"total":13,"completed":4,"failed":0},"status":"done","knowledge_graphs":[],' +
    '"strategy":"custom_script","interview_count":0,"interviews":[]}',
] as const;
const foreignBodies = [
  `{"brief":"Why “leave”?\\n","workspace":"${projectId}","born":"2026-03-01T09:30:00.123456+01:00",` +
    '"starred":true,"tongue":"projectId","listeners":["createdAt","People"],"papers":[],' +
    '"meter":{"all":12,"done":3,"lost":1},"phase":"running","kg_ids":["kg-1"],' +
    '"method":"concept_study","talk_count":12,"talks":["i-1"],"pains":["Slow"],' +
    `"remedy":"3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22","quest":"${goal}"}`,
  `{"brief":null,"workspace":"${projectId}","born":"2026-03-02T00:00:00+00:00",` +
    '"starred":false,"tongue":"de","listeners":[],"papers":["a.pdf"],' +
    '"meter":{"all":13,"done":4,"lost":0},"phase":"done","kg_ids":[],' +
    '"method":"custom_script","talk_count":0,"talks":[]}',
] as const;

/** The inputs: they have the names of the reference. */
const created: Readonly<Record<string, unknown>> = JSON.parse(camelBodies[0]);
const edited: Readonly<Record<string, unknown>> = JSON.parse(camelBodies[1]);
const first = {
  id,
  ...created,
  audiencesObj: [{ displayName: 'a', display_name: 'b', projectId: 'c' }],
  problemsObj: [{ kg_ids: 1, knowledgeGraphs: 2 }],
  planId: 'plan-7',
  solution: { created_at: 'never', createdAt: { done: 1, total: 2 } },
  researchGoal: { research_goal: null, researchGoal: true },
  summaries: ['summary-1'],
};
const second = { ...first, ...edited };

const study = Object.keys(first)
  .map((name) => (name === 'progress' ? 'progress { total completed failed }' : name))
  .join(' ');
const toCreate = (input: object, token = 'a-token'): Asked => ({
  query: `mutation ($input: CreateStudyInput!) { createStudy(input: $input) { ${study} } }`,
  variables: { input },
  token,
});
const toEdit = (input: object): Asked => ({
  query: `mutation ($input: EditStudyInput!) { editStudy(id: "${id}", input: $input) { ${study} } }`,
  variables: { input },
});
const toList = (args: string, selection: string): Asked => ({
  query: `{ studies(${args}) { items { ${selection} } total page size pages } }`,
});

/** Creates, edits, reads and lists one study with all fields. */
const walk = [
  toCreate(created),
  toEdit(edited),
  { query: `{ study(id: "${id}") { ${study} } }` },
  toList(`page: 1, size: 10, projectId: ["${projectId}"]`, study),
];
const walked = [
  { data: { createStudy: first } },
  { data: { editStudy: second } },
  { data: { study: second } },
  { data: { studies: { items: [second], total: 1, page: 1, size: 10, pages: 1 } } },
];

/** Returns the calls of `walk`. */
function toCalls(bodies: readonly string[], query: string, editPath = '', base = '') {
  return [
    { call: `POST ${base}/studies`, body: bodies[0] },
    { call: `PATCH ${base}/studies/${id}${editPath}`, body: bodies[1] },
    { call: `GET ${base}/studies/${id}`, body: '' },
    { call: `GET ${base}/studies?${query}`, body: '' },
  ];
}

const query = `page=1&size=10&projectId=${projectId}`;
const snakeQuery = `page=1&size=10&project_id=${projectId}`;
const foreignQuery = `p=0&n=10&workspace=${projectId}`;
const $schema = expect.any(String);
const naming = { naming: 'snake_case' };

describe('another Study API', { tags: ['fastapi'] }, () => {
  const apis = useStudyApis(forms, answers);

  it('needs no contract if it has the names of the reference', async () => {
    const { ask } = await apis.connect('plain', null);

    expect(await ask(...walk)).toEqual({ results: walked, calls: toCalls(camelBodies, query) });
  });

  const rows: readonly [form: string, code: number, file: object, calls: object[]][] = [
    ['camel', 0, { $schema }, toCalls(camelBodies, query)],
    [
      'snake',
      0,
      expect.objectContaining({ $schema, request: naming, answer: naming }),
      toCalls(snakeBodies, snakeQuery),
    ],
    ['answers', 0, { $schema, answer: naming }, toCalls(camelBodies, query)],
    [
      'foreign',
      1,
      expect.objectContaining({ $schema }),
      toCalls(foreignBodies, foreignQuery, '/details'),
    ],
    [
      'data',
      0,
      expect.objectContaining({ $schema, answer: { at: '/data' } }),
      toCalls(camelBodies, query, '', '/api/v1'),
    ],
  ];
  it.for(everyNth(3, rows))(
    'is another file, made from its document: %s',
    async ([form, code, file, calls]) => {
      const { made = noFile, ask } = await apis.connect(form);

      expect({ code: made.code, file: JSON.parse(made.saved) }).toEqual({ code, file });
      expect(made.saved.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
      expect(await ask(...walk)).toEqual({ results: walked, calls });
    },
  );

  it('has the base path of its document printed as STUDY_API_URL', async () => {
    const { api, made } = await apis.connect('data');

    expect(made?.printed).toMatch(new RegExp(`STUDY_API_URL\\W*${api}(?![\\w/])`));
  });

  it('may lack reads and fields, and require fields', async () => {
    const { made = noFile, ask } = await apis.connect('narrow');
    const { bookmarked: _created, ...input } = created;
    const { bookmarked: _edited, ...changes } = edited;
    const createStudy = { ...first, ...input, bookmarked: null, planId: null };
    const editStudy = { ...createStudy, ...changes };

    const done = await ask(toCreate(input), toEdit(changes));

    expect(made.code).toBe(0);
    expect(JSON.parse(made.saved)).toMatchObject({
      request: { required: { createStudy: expect.arrayContaining(['description', 'projectId']) } },
      answer: { absent: ['planId'] },
      operations: { study: false, studies: false },
    });
    const bodies = snakeBodies.map((body) => body.replace(/"bookmarked":(true|false),/, ''));
    expect(done).toEqual({
      results: [{ data: { createStudy } }, { data: { editStudy } }],
      calls: toCalls(bodies, '').slice(0, 2),
    });
  });

  it('gets no call for what it lacks, does not take, or requires', async () => {
    const { ask } = await apis.connect('narrow');
    const { bookmarked: _bookmarked, projectId: _projectId, ...input } = created;

    const { results, calls } = await ask(
      { query: `{ study(id: "${id}") { id } }` },
      { query: '{ studies { total } }' },
      toCreate(created),
      toEdit({ bookmarked: false }),
      toCreate(input),
      toCreate({ language: 'en' }),
    );

    expectNotSent(results[0], 'study', 'narrow\\.json');
    expectNotSent(results[1], 'studies', 'narrow\\.json');
    expectNotSent(results[2], 'bookmarked');
    expectNotSent(results[3], 'bookmarked');
    expectNotSent(results[4], 'projectId');
    expectNotSent(results[5], 'description', 'projectId');
    expect(calls).toEqual([]);
  });

  it('counts pages from 0, and they are served from 1', async () => {
    const { ask } = await apis.connect('foreign');
    const other = '99999999-9999-4999-8999-999999999999';
    const items = [{ status: 'a' }, { status: 'b' }];
    await ask(...items.map(({ status }) => toCreate({ ...created, projectId: other, status })));

    const done = await ask(
      toList(`page: 2, size: 1, projectId: ["${other}"]`, 'status'),
      toList(`projectId: ["${other}"]`, 'status'),
    );

    const pages = [
      { items: items.slice(1), total: 2, page: 2, size: 1, pages: 2 },
      { items, total: 2, page: 1, size: 50, pages: 1 },
    ];
    expect(done).toEqual({
      results: pages.map((studies) => ({ data: { studies } })),
      calls: [
        { call: `GET /studies?p=1&n=1&workspace=${other}`, body: '' },
        { call: `GET /studies?workspace=${other}`, body: '' },
      ],
    });
  });

  it.for(everyNth(2, ['camel', 'snake', 'foreign', 'narrow']))(
    'has refused fields that are told by their GraphQL names: %s',
    async (form) => {
      const { ask } = await apis.connect(form);
      const progress = { total: 1, completed: -1, failed: 1 };

      const { results } = await ask(
        toCreate({ description: 'a', projectId, progress, interviewCount: -1 }),
      );

      const message = 'ensure this value is greater than or equal to 0';
      expect(toExtensions(results[0])).toEqual([
        {
          code: 'BAD_USER_INPUT',
          outcome: 'REJECTED',
          retryable: false,
          requestId: expect.any(String),
          upstreamStatus: 422,
          fieldErrors: [
            { path: ['input', 'progress', 'completed'], message },
            { path: ['input', 'interviewCount'], message },
          ],
        },
      ]);
    },
  );

  it('speaks only the verdicts that its contract lists', async () => {
    const listed = { applied: [200, 201], rejected: [400, 422] };
    const verdicts = { ...listed, success: { '/ok': true }, reason: '/error/text' };
    const { ask } = await apis.connect('verdicts', { answer: { at: '/data' }, verdicts });
    const tokens = ['a-token', 'refuse', 'say-422', 'say-202', 'say-409'];

    const { results } = await ask(...tokens.map((token) => toCreate(created, token)));

    expect(results[0]).toEqual({ data: { createStudy: first } });
    const failed = results.slice(1);
    expect(failed.map(({ data }) => data?.['createStudy'])).toEqual([null, null, null, null]);
    expect(failed.map(toExtensions)).toMatchObject([
      [{ outcome: 'REJECTED', retryable: false, upstreamMessage: 'The project is closed.' }],
      [{ outcome: 'REJECTED', retryable: false, upstreamMessage: 'No such project.' }],
      [{ outcome: 'UNKNOWN', retryable: false, upstreamStatus: 202 }],
      [{ outcome: 'UNKNOWN', retryable: false, upstreamStatus: 409 }],
    ]);
  });

  it('never changes the GraphQL schema', async () => {
    const { gateway } = await apis.connect('foreign');
    const file = new URL('../../schema/schema.graphql', import.meta.url);

    const response = await fetch(`${gateway}/schema.graphql`);

    expect(await response.text()).toBe(readFileSync(file, 'utf8'));
  });

  it('is not read from a document that is no OpenAPI', async () => {
    const from = join(apis.directory, 'no-openapi.json');
    writeFileSync(from, '{ "studies": [] }');

    const made = await apis.make(from, join(apis.directory, 'unread.json'));

    expect(made).toEqual({ code: 2, printed: expect.stringContaining(from), saved: '' });
  });

  it.for<[problem: string, contract: object, words: readonly string[]]>([
    [
      'empty places',
      { request: { names: { projectId: '' } }, answer: { names: { id: '' } } },
      ['request[./]names[./]projectId', 'answer[./]names[./]id'],
    ],
    ['an unknown member', { answer: { namming: 'x' } }, ['answer', 'namming', '\\bnaming']],
    [
      'an unknown field',
      { request: { names: { projctId: 'x' } } },
      ['request[./]names', 'projctId', 'projectId'],
    ],
    ['a wrong value', { request: { naming: 'x' } }, ['request[./]naming', 'snake_case']],
    [
      'a required field as absent',
      { answer: { absent: ['files'] } },
      ['answer[./]absent', 'files'],
    ],
  ])('ends the start for a contract with %s', async ([, contract, words]) => {
    const file = join(apis.directory, 'my-contract.json');
    writeFileSync(file, JSON.stringify(contract));
    const env = { STUDY_API_URL: 'http://127.0.0.1:9', STUDY_API_CONTRACT: file };
    const program = apis.start([], env);

    await expect(waitForUrl(program)).rejects.toThrow('It ended with 1 ');

    const { stdout, stderr } = await program.exit;
    for (const word of [file, ...words]) expect(stdout + stderr).toMatch(new RegExp(word));
  });
});

const noFile = { code: null, saved: '{}' };

function toExtensions({ errors = [] }: ExecutionResult = {}): object[] {
  return errors.map(({ extensions }) => extensions);
}

/** Expects a refusal before any call, whose message or field errors have all `words`. */
function expectNotSent(result: ExecutionResult | undefined, ...words: string[]): void {
  expect(Object.values(result?.data ?? {})).toEqual([null]);
  expect(toExtensions(result)).toMatchObject([{ outcome: 'NOT_SENT', retryable: false }]);
  const [error] = result?.errors ?? [];
  const told = JSON.stringify([error?.message, error?.extensions['fieldErrors']]);
  for (const word of words) expect(told).toMatch(new RegExp(`\\b${word}\\b`));
}
