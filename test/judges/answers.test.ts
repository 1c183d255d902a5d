import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { fields, toPage } from '../support/studies.js';
import { id, newToken, otherId, toBearer, useFastApi, type Lie } from './judge.fixture.js';

const json = { 'content-type': 'application/json' };
/** A text of the other study, which no answer may have. */
const canary = 'Confidential';
const other = { id: otherId, description: canary, status: canary, audiences: [canary] };
const page = '<!doctype html><html><body><h1>404 Not Found</h1></body></html>';

function ok(body: unknown): Lie {
  return { headers: json, body: JSON.stringify(body) };
}

/** Returns the data, and code and outcome of the errors. */
function toVerdict({ data, errors = [] }: ExecutionResult): object {
  return { data, errors: errors.map(({ extensions: { code, outcome } }) => ({ code, outcome })) };
}

/** The verdict on a read whose answer cannot be believed. A read has no outcome. */
function toRefusal(data: object): object {
  return { data, errors: [{ code: 'UPSTREAM_CONTRACT', outcome: undefined }] };
}

const selections = ['description', 'id', '__typename'];
const entities = `query ($id: ID!) {
  _entities(representations: [{ __typename: "Study", id: $id }]) { ... on Study { id description } }
}`;

describe('a Study API on FastAPI', { tags: ['fastapi'] }, () => {
  const api = useFastApi();

  /** Returns a function that runs an operation, all of whose calls the Study API answers with `lie`. */
  async function startJudge(lie?: Lie) {
    const token = newToken();
    if (lie) await api.tell({ [token]: lie });
    const { graphql } = await startTestGateway({ studyApiUrl: api.url, federation: true });
    const ask = (document: string, variables = {}): Promise<ExecutionResult> =>
      graphql(document, variables, toBearer(token));
    return { ask, see: async () => (await api.see(token))[token] };
  }

  describe.each<[string, Lie]>([
    ['another id', ok(other)],
    ['another id under 201', { ...ok(other), status: 201 }],
    ['an id of null', ok({ ...other, id: null })],
    ['the right id one level deeper', ok({ ...other, solution: { id }, data: { id } })],
    ['the right id of another name', ok({ ...other, study_id: id, ID: id })],
    ['the right id, then another', { body: JSON.stringify(other).replace('{', `{"id":"${id}",`) }],
  ])('that answers with a study of %s', (_, lie) => {
    it('is not believed by a read', async () => {
      const { ask } = await startJudge(lie);

      const told = await Promise.all([
        ...selections.map((selection) => ask(`{ study(id: "${id}") { ${selection} } }`)),
        ask(entities, { id }),
      ]);

      expect(told.map(toVerdict)).toEqual([
        ...selections.map(() => toRefusal({ study: null })),
        toRefusal({ _entities: [null] }),
      ]);
      expect(JSON.stringify(told)).not.toMatch(new RegExp(`${canary}|${otherId}`));
    });

    it('leaves the outcome of an edit UNKNOWN', async () => {
      const { ask, see } = await startJudge(lie);

      const told = await Promise.all(
        selections.map((selection) =>
          ask(`mutation { editStudy(id: "${id}", input: { status: "x" }) { ${selection} } }`),
        ),
      );

      const errors = [{ code: 'UPSTREAM_CONTRACT', outcome: 'UNKNOWN' }];
      expect(told.map(toVerdict)).toEqual(
        selections.map(() => ({ data: { editStudy: null }, errors })),
      );
      expect(JSON.stringify(told)).not.toMatch(new RegExp(`${canary}|${otherId}|studyId`));
      expect((await see())?.calls).toHaveLength(selections.length);
    });
  });

  it.each([
    [id, id.toUpperCase()],
    [id.toUpperCase(), id],
  ])('that answers with another letter case is believed: %s, %s', async (asked, answered) => {
    const { ask } = await startJudge(ok({ id: answered, description: 'Why?' }));

    const told = await Promise.all([
      ask(`{ study(id: "${asked}") { description } }`),
      ask(`mutation { editStudy(id: "${asked}", input: { status: "x" }) { description } }`),
      ask(entities, { id: asked }),
    ]);

    const description = 'Why?';
    expect(told).toEqual([
      { data: { study: { description } } },
      { data: { editStudy: { description } } },
      { data: { _entities: [{ description, id: expect.any(String) }] } },
    ]);
  });

  it('that always answers with the same study is believed only where that study was asked for', async () => {
    const { ask } = await startJudge(ok(other));

    const told = await ask(
      `{ mine: study(id: "${id}") { description } theirs: study(id: "${otherId}") { description } }`,
    );

    expect(toVerdict(told)).toEqual(toRefusal({ mine: null, theirs: { description: canary } }));
  });

  it.each<[string, Lie]>([
    ['a page', { headers: { 'content-type': 'text/html' }, body: page }],
    ['a text of no type', { body: '404 page not found' }],
  ])('is not believed when its 404 has %s', async (_, lie) => {
    const { ask } = await startJudge({ ...lie, status: 404 });

    const told = [await ask(`{ study(id: "${id}") { id } }`), await ask(entities, { id })];

    expect(told.map(toVerdict)).toEqual([
      toRefusal({ study: null }),
      toRefusal({ _entities: [null] }),
    ]);
  });

  it.each<[string, Lie]>([
    ['JSON', ok({ detail: 'Study not found' })],
    ['no body', {}],
  ])('has no study, without an error, when its 404 has %s', async (_, lie) => {
    const { ask } = await startJudge({ ...lie, status: 404 });

    const told = [await ask(`{ study(id: "${id}") { id } }`), await ask(entities, { id })];

    expect(told).toEqual([{ data: { study: null } }, { data: { _entities: [null] } }]);
  });

  const right = { ...other, projectId: id };
  it.each<[string, object]>([
    ['no projectId', { ...other }],
    ['a projectId of null', { ...other, projectId: null }],
    ['a projectId in a list', { ...other, projectId: [id] }],
    ['another projectId', { ...other, projectId: otherId }],
  ])('that passes over a filter by project serves no item: %s', async (_, item) => {
    const wrong = { ...item, id: '88888888-8888-4888-8888-888888888888' };
    const bodies = [toPage([right, wrong]), [wrong]];
    const selected = ['items { description }', 'total'];

    const told = await Promise.all(
      bodies.map(async (body) => {
        const { ask } = await startJudge(ok(body));
        return Promise.all(
          selected.map((one) => ask(`{ studies(projectId: ["${id}"]) { ${one} } }`)),
        );
      }),
    );

    const refusals = selected.map(() => toRefusal({ studies: null }));
    expect(told.map((some) => some.map(toVerdict))).toEqual(bodies.map(() => refusals));
    expect(JSON.stringify(told)).not.toContain(canary);
  });

  it('that keeps a filter by project is believed, whatever the letter case', async () => {
    const { ask } = await startJudge(ok(toPage([{ ...right, projectId: id.toUpperCase() }])));
    const empty = await startJudge(ok(toPage([])));
    const query = `{ studies(projectId: ["${otherId}", "${id}"]) { total items { description } } }`;

    const told = [await ask(query), await empty.ask(query)];

    expect(told).toEqual([
      { data: { studies: { total: 1, items: [{ description: canary }] } } },
      { data: { studies: { total: 0, items: [] } } },
    ]);
  });

  it('stores, edits, serves and lists a study, and gets no byte but those that were asked for', async () => {
    const { ask, see } = await startJudge();
    const selection = Object.keys(fields)
      .map((name) => (name === 'progress' ? 'progress { total completed failed }' : name))
      .join(' ');
    const projectId = 'A23E4567-E89B-12D3-A456-426614174ABC';
    const input = {
      description: 'Warum? "Größe" \\ 😀\n\u0001',
      projectId,
      createdAt: '2026-03-01T09:30:00.123456+01:00',
      bookmarked: false,
      language: 'de',
      audiences: ['A', 'B'],
      problems: [],
      files: ['a/b.pdf'],
      progress: { total: 12, completed: 0, failed: -1 },
      status: '',
      solutionId: '3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22',
      researchGoalId: null,
      knowledgeGraphs: [],
      strategy: 'problem_exploration',
      interviewCount: 2_147_483_647,
      interviews: ['i'],
    };
    const create = `mutation ($input: CreateStudyInput!) { createStudy(input: $input) { ${selection} } }`;
    const edit = `mutation ($id: UUID!, $input: EditStudyInput!) { editStudy(id: $id, input: $input) { ${selection} } }`;

    const created = await ask(create, { input });
    const { createStudy: study } = created.data as { createStudy: { id: string } };
    const changes = { description: null, audiences: [], interviewCount: 0 };
    const edited = await ask(edit, { id: study.id, input: changes });
    const read = await ask(`{ study(id: "${study.id}") { ${selection} } }`);
    const listed = await ask(
      `{ studies(page: 1, size: 5, projectId: ["${projectId}"]) { page size total pages items { ${selection} } } }`,
    );

    const stored = {
      ...input,
      id: study.id,
      projectId: projectId.toLowerCase(),
      audiencesObj: [],
      problemsObj: [],
      planId: null,
      solution: null,
      researchGoal: null,
      summaries: [],
    };
    const after = { ...stored, ...changes };
    expect([created, edited, read, listed]).toEqual([
      { data: { createStudy: stored } },
      { data: { editStudy: after } },
      { data: { study: after } },
      { data: { studies: { page: 1, size: 5, total: 1, pages: 1, items: [after] } } },
    ]);
    expect((await see())?.calls).toEqual([
      {
        request: 'POST /studies',
        body:
          '{"description":"Warum? \\"Größe\\" \\\\ 😀\\n\\u0001",' +
          '"projectId":"A23E4567-E89B-12D3-A456-426614174ABC",' +
          '"createdAt":"2026-03-01T09:30:00.123456+01:00","bookmarked":false,"language":"de",' +
          '"audiences":["A","B"],"files":["a/b.pdf"],' +
          '"progress":{"total":12,"completed":0,"failed":-1},"status":"","knowledgeGraphs":[],' +
          '"strategy":"problem_exploration","interviewCount":2147483647,"interviews":["i"],' +
          '"problems":[],"solutionId":"3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22","researchGoalId":null}',
      },
      {
        request: `PATCH /studies/${study.id}`,
        body: '{"description":null,"audiences":[],"interviewCount":0}',
      },
      { request: `GET /studies/${study.id}`, body: '' },
      { request: `GET /studies?page=1&size=5&projectId=${projectId}`, body: '' },
    ]);
  });
});
