import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { pythonPath } from '../support/tools.js';

const program = fileURLToPath(new URL('study_api.py', import.meta.url));
const project = 'A23E4567-E89B-12D3-A456-426614174ABC';
const noId = '99999999-9999-4999-8999-999999999999';
const study = `{ id description projectId createdAt bookmarked language audiences audiencesObj problems problemsObj
  files planId progress { total completed failed } status solutionId solution researchGoalId researchGoal
  knowledgeGraphs strategy interviewCount interviews summaries }`;
const create = `mutation ($input: CreateStudyInput!, $key: UUID) { createStudy(input: $input, idempotencyKey: $key) ${study} }`;
const read = `query ($id: UUID!) { study(id: $id) ${study} }`;
const bearer = { headers: { authorization: 'Bearer test-token' } };

/** Returns an edit with `input`, and with a field whose variable has no value. */
const toEdit = (input: string): string =>
  `mutation ($id: UUID!, $none: String) { editStudy(id: $id, input: { ${input}, status: $none }) ${study} }`;

/** Parses an answer. Numbers become texts, so that no digit is lost. */
function parse(json: string) {
  return JSON.parse(json, (_, value: unknown, context?: { source: string }) =>
    typeof value === 'number' ? context?.source : value,
  ) as {
    data: Record<string, { id: string }>;
    errors: [{ extensions: Record<string, unknown> }];
  };
}

/** Starts the Study API and a gateway before it. Both end with the test. */
async function start() {
  const child = spawn(pythonPath, ['-B', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { value: port } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const url = `http://127.0.0.1:${port}`;
  const { post } = await startTestGateway({ studyApiUrl: `${url}/api/v1/` });
  const ask = async (query: string, variables: object = {}, token = 'test-token') =>
    parse(await (await post({ query, variables }, { authorization: `Bearer ${token}` })).text());
  return {
    child,
    ask,
    /** Returns code, outcome and reason of the error of an operation, separated by spaces. */
    refuse: async (...operation: Parameters<typeof ask>) => {
      const [{ extensions }] = (await ask(...operation)).errors;
      return [extensions['code'], extensions['outcome'], extensions['upstreamMessage']].join(' ');
    },
    /** Calls the Study API without the gateway. */
    call: async (path: string) =>
      parse(await (await fetch(`${url}/api/v1/studies${path}`, bearer)).text()),
    /** Returns the calls that the Study API received, such as `POST /api/v1/studies {}`. */
    see: async () => (await (await fetch(`${url}/ledger`)).json()) as string[],
  };
}

describe('a Study API on FastAPI', { tags: ['fastapi'] }, () => {
  it('receives exactly what was sent, and its answers arrive unchanged', async () => {
    const { ask, call, see } = await start();
    const body = `{"description":"\\"Größe\\" \\\\ 😀\\n\\u0001","projectId":"${project}","bookmarked":false,
      "createdAt":"2026-03-01T09:30:00.120000000+01:00","language":"","audiences":["A","","ß"],"problems":[],
      "files":["a/b.pdf"],"progress":{"total":2147483647,"completed":0,"failed":-1},"status":"constructor",
      "solutionId":"${noId}","researchGoalId":null,"knowledgeGraphs":["1e5"],"interviews":["i"],
      "strategy":"problem_exploration","interviewCount":-2147483648}`;

    const created = await ask(create, { input: JSON.parse(body) });
    const id = created.data['createStudy']?.id;
    expect(created).toEqual({ data: { createStudy: await call(`/${id}`) } });
    for (const input of ['bookmarked: true', 'description: null', 'audiences: []']) {
      const edited = await ask(toEdit(input), { id });
      expect(edited).toEqual({ data: { editStudy: await call(`/${id}`) } });
    }
    expect(await ask(read, { id })).toEqual({ data: { study: await call(`/${id}`) } });
    await ask(create, { input: {} });

    const [first = '', ...writes] = (await see()).filter((call) => !call.startsWith('GET'));
    expect(parse(first.replace('POST /api/v1/studies ', ''))).toEqual(parse(body));
    expect(writes).toEqual([
      `PATCH /api/v1/studies/${id} {"bookmarked":true}`,
      `PATCH /api/v1/studies/${id} {"description":null}`,
      `PATCH /api/v1/studies/${id} {"audiences":[]}`,
      'POST /api/v1/studies {}',
    ]);
  });

  it('lists the same pages through the gateway as without it', async () => {
    const { ask, call } = await start();
    for (const projectId of [project, null, noId]) await ask(create, { input: { projectId } });
    for (const [count, query, args] of [
      [2, '?page=1&size=2', '(page: 1, size: 2)'],
      [1, '?page=2&size=2', '(page: 2, size: 2)'],
      [2, `?projectId=${noId},${project}`, `(projectId: ["${noId}", "${project}"])`],
      [3, '', ''],
    ] as const) {
      const studies = await call(query);
      expect(studies).toHaveProperty('items.length', count);
      const listed = await ask(`{ studies${args} { items ${study} total page size pages } }`);
      expect(listed).toEqual({ data: { studies } });
    }
  });

  it('refuses in its own words, and is asked once', async () => {
    const { ask, refuse, see } = await start();
    const input = { progress: { total: 1, completed: null, failed: -1 } };
    const [edit, missing] = [toEdit('bookmarked: true'), { id: noId }];
    const words = /^none is not an allowed value$|^Input should be a valid integer$/;
    const message = expect.stringMatching(words);
    const fieldErrors = [{ path: ['input', 'progress', 'completed'], message }];

    const [{ extensions }] = (await ask(create, { input })).errors;
    expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', outcome: 'REJECTED', fieldErrors });
    expect(await refuse(edit, missing, 'wrong')).toBe('UNAUTHENTICATED REJECTED Unauthorized');
    expect(await refuse(edit, missing, 'stranger')).toBe('FORBIDDEN REJECTED Forbidden');
    expect(await refuse(edit, missing)).toBe('NOT_FOUND REJECTED Study not found');
    expect(await ask(read, missing)).toEqual({ data: { study: null } });
    expect(await see()).toHaveLength(5);
  });

  it('is killed in the middle of a create, and is away after that', async () => {
    const { child, refuse, see } = await start();
    const held = { input: { language: 'hold' }, key: noId };
    const first = refuse(create, held);
    await expect.poll(see).toEqual(['POST /api/v1/studies {"language":"hold"}']);
    process.kill(child.pid!, 'SIGKILL');

    expect(await first).toBe('UPSTREAM_UNAVAILABLE UNKNOWN ');
    expect(await refuse(create, held)).toBe('UPSTREAM_TIMEOUT UNKNOWN ');
    expect(await refuse(create, { input: {} })).toBe('UPSTREAM_UNAVAILABLE NOT_SENT ');
  });
});
