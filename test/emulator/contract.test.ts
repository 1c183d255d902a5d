import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ContractError, type ContractFile } from 'study-gateway-contract';
import { startTestEmulator, type TestEmulator } from '../support/emulator.js';
import { createDirectory } from '../support/process.js';

const projectId = '6f1c2a34-0b9d-4e5f-8a7b-1c2d3e4f5a6b';
const createdAt = '2026-03-01T09:30:00.123456+01:00';

/** Starts an emulator that keeps the contract in a file. */
function startWith(contract: ContractFile): Promise<TestEmulator> {
  const file = join(createDirectory(), 'contract.json');
  writeFileSync(file, JSON.stringify(contract));
  return startTestEmulator({ contract: file });
}

/** Sends a request. Returns the status, and the body with `ID` in place of each id of a study. */
async function send({ send }: TestEmulator, ...request: Parameters<TestEmulator['send']>) {
  const response = await send(...request);
  const text = await response.text();
  return [response.status, text.replaceAll(/("(?:id|uid)":)"[\w-]{36}"/g, '$1"ID"')];
}

async function createId(emulator: TestEmulator, body: object): Promise<string> {
  const response = await emulator.send('POST', '/studies', body);
  return /"(?:id|uid)":"([\w-]{36})"/.exec(await response.text())?.[1] ?? '';
}

const names = {
  id: 'uid',
  description: 'brief',
  projectId: 'workspace',
  createdAt: 'born',
  progress: 'meter',
  'progress.total': 'all',
  'progress.completed': 'done',
  'progress.failed': 'lost',
  knowledgeGraphs: 'kg_ids',
} as const;
const { id: _id, ...requestNames } = names;
const foreign: ContractFile = {
  request: { naming: 'snake_case', names: requestNames },
  answer: { naming: 'snake_case', names },
  operations: { editStudy: { path: '/studies/{id}/details' } },
};

const body =
  `{"brief":"Why?","workspace":"${projectId}","born":"${createdAt}","audiences":["projectId"],` +
  '"meter":{"all":12,"done":3},"kg_ids":["kg-1"],"interview_count":2}';
const answer =
  `{"uid":"ID","brief":"Why?","workspace":"${projectId}","born":"${createdAt}","bookmarked":false,` +
  '"language":"en","audiences":["projectId"],"audiences_obj":[{"name":"projectId"}],"problems":[],' +
  '"problems_obj":[],"files":[],"plan_id":null,"meter":{"all":12,"done":3,"lost":0},"status":"draft",' +
  '"solution_id":null,"solution":null,"research_goal_id":null,"research_goal":null,"kg_ids":["kg-1"],' +
  '"strategy":"solution_feedback","interview_count":2,"interviews":[],"summaries":[]}';

describe('names', () => {
  it('are those of the contract, in requests and answers', async () => {
    const emulator = await startWith(foreign);

    const id = await createId(emulator, JSON.parse(body) as object);

    expect(await send(emulator, 'POST', '/studies', body)).toEqual([200, answer]);
    expect(await send(emulator, 'GET', `/studies/${id}`)).toEqual([200, answer]);
    expect(await send(emulator, 'PATCH', `/studies/${id}/details`, '{"meter":{"lost":1}}')).toEqual(
      [200, answer.replace('"lost":0', '"lost":1')],
    );
  });

  it('are the only ones: a refusal names the value as the request does', async () => {
    const emulator = await startWith(foreign);

    const refused = await send(
      emulator,
      'POST',
      '/studies',
      '{"projectId":1,"workspace":"x","meter":{"total":1,"done":"3"}}',
    );

    expect(JSON.parse(String(refused[1]))).toEqual({
      detail: [
        expect.objectContaining({ type: 'uuid_parsing', loc: ['body', 'workspace'] }),
        expect.objectContaining({ type: 'int_type', loc: ['body', 'meter', 'done'] }),
        expect.objectContaining({ type: 'extra_forbidden', loc: ['body', 'meter', 'total'] }),
        expect.objectContaining({ type: 'extra_forbidden', loc: ['body', 'projectId'] }),
      ],
    });
  });

  it('are those of the contract in a scenario', async () => {
    const emulator = await startWith(foreign);
    const by = (token: string) => ({ authorization: `Bearer ${token}` });

    const refused = await send(emulator, 'POST', '/studies', '{}', by('demo-422'));
    const drifted = await send(emulator, 'POST', '/studies', body, by('demo-drift-missing'));

    expect(refused[1]).toContain('"loc":["body","workspace"]');
    expect(drifted).toEqual([200, answer.replace('"audiences":["projectId"],', '')]);
  });
});

describe('fields', () => {
  it('are required, refused and left out as the contract says', async () => {
    const emulator = await startWith({
      request: { required: { createStudy: ['projectId'] }, absent: { createStudy: ['status'] } },
      answer: { absent: ['planId', 'interviewCount'] },
    });

    const refused = await emulator.call('POST', '/studies', { status: 'x' });
    const created = await emulator.call('POST', '/studies', { projectId });

    expect(refused).toEqual({
      status: 422,
      body: {
        detail: [
          { type: 'missing', loc: ['body', 'projectId'], msg: 'Field required', input: null },
          expect.objectContaining({ type: 'extra_forbidden', loc: ['body', 'status'] }),
        ],
      },
    });
    expect(Object.keys(Object(created.body))).toHaveLength(21);
    expect(created.body).not.toHaveProperty('planId');
    expect(created.body).not.toHaveProperty('interviewCount');
  });
});

describe('lists', () => {
  const other = '99999999-9999-4999-8999-999999999999';
  const contract: ContractFile = {
    answer: { absent: ['planId'] },
    operations: {
      studies: {
        path: '/all-studies',
        items: '/data/content',
        numbers: { total: '/meta/total' },
        parameters: { page: 'p', size: 'n', projectId: 'workspace' },
        projects: 'repeated',
        firstPage: 0,
      },
    },
  };

  it('have the parameters, places and first page of the contract', async () => {
    const emulator = await startWith(contract);
    for (const status of ['a', 'b', 'c'])
      await emulator
        .create({ projectId: status === 'c' ? other : projectId, status })
        .catch(() => {});
    const list = async (query: string) => (await emulator.call('GET', `/all-studies${query}`)).body;
    const toPage = (numbers: object, total: number, ...statuses: string[]) => ({
      data: { content: statuses.map((status) => expect.objectContaining({ status })), ...numbers },
      meta: { total },
    });

    expect(await list('')).toEqual(toPage({ page: 0, size: 50, pages: 1 }, 3, 'c', 'b', 'a'));
    expect(await list('?p=1&n=2')).toEqual(toPage({ page: 1, size: 2, pages: 2 }, 3, 'a'));
    expect(await list(`?workspace=${other}&workspace=${other}`)).toEqual(
      toPage({ page: 0, size: 50, pages: 1 }, 1, 'c'),
    );
    expect(await list('?p=-1&page=x')).toEqual({
      detail: [expect.objectContaining({ type: 'greater_than_equal', loc: ['query', 'p'] })],
    });
  });

  it('ignore parameters that the API does not take', async () => {
    const emulator = await startWith({ operations: { studies: { absent: ['size'] } } });

    expect(await emulator.call('GET', '/studies?size=0')).toMatchObject({ body: { size: 50 } });
  });
});

it('answers 404 or 405 to an operation that the API lacks', async () => {
  const emulator = await startWith({
    operations: { study: false, studies: { path: '/list' }, editStudy: false },
  });
  const id = '00000000-0000-4000-8000-000000000000';

  const refused = [
    await emulator.send('GET', '/studies'),
    await emulator.send('GET', `/studies/${id}`),
    await emulator.send('PATCH', `/studies/${id}`, {}),
    await emulator.send('GET', '/list'),
  ];

  expect(refused.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
    [405, 'POST'],
    [404, null],
    [404, null],
    [200, null],
  ]);
});

describe('verdicts', () => {
  it('stand around the answer, and the reason at its place', async () => {
    const emulator = await startWith({
      answer: { at: '/data', absent: ['planId'] },
      verdicts: {
        applied: [201],
        rejected: [400, 422],
        success: { '/ok': true },
        reason: '/error/text',
      },
    });

    const created = await emulator.call('POST', '/studies', { projectId });
    const invalid = await emulator.call('POST', '/studies', { projectId: 'x' });
    const conflict = await emulator.call(
      'POST',
      '/studies',
      {},
      { authorization: 'Bearer demo-409' },
    );
    const listed = await emulator.call('GET', '/studies');

    expect(created).toEqual({
      status: 201,
      body: { data: expect.objectContaining({ projectId }), ok: true },
    });
    expect(invalid).toEqual({
      status: 201,
      body: {
        detail: [expect.objectContaining({ loc: ['body', 'projectId'] })],
        error: { text: expect.stringContaining('valid UUID') },
        ok: false,
      },
    });
    expect(conflict).toEqual({
      status: 201,
      body: { error: { text: 'The study was changed by somebody else' }, ok: false },
    });
    expect(listed).toMatchObject({ status: 200, body: { total: 1, ok: true } });
  });

  it('have a listed status', async () => {
    const emulator = await startWith({ verdicts: { rejected: [400, 404] } });

    const invalid = await emulator.call('POST', '/studies', { projectId: 'x' });
    const missing = await emulator.call('PATCH', `/studies/${projectId}`, {});
    const failed = await emulator.call(
      'POST',
      '/studies',
      {},
      { authorization: 'Bearer demo-500' },
    );

    expect([invalid.status, missing.status, failed.status]).toEqual([400, 404, 500]);
  });
});

describe('keys', () => {
  it('are honoured under the header of the contract: a write is made once for each owner', async () => {
    const emulator = await startWith({ keys: { header: 'X-Once' } });
    const create = async (status: string, headers: Record<string, string>) =>
      (await emulator.call('POST', '/studies', { status }, headers)).body;
    const cut = { authorization: 'Bearer demo-cut', 'x-once': 'b' };

    const first = await create('a', { 'x-once': 'a' });
    const repeated = await create('a', { 'x-once': 'a' });
    await expect(create('b', cut)).rejects.toThrow('fetch failed');
    const recovered = await create('b', { 'x-once': 'b' });

    expect(repeated).toEqual(first);
    expect(recovered).toMatchObject({ status: 'b' });
    expect(await create('else', { 'x-once': 'a' })).toEqual({
      detail: 'The idempotency key was used with another request',
    });
    expect((await emulator.call('GET', '/studies')).body).toMatchObject({ total: 2 });
  });

  it('are kept by a refused write no longer than it takes, and ignored without a contract', async () => {
    const emulator = await startWith({ keys: {} });
    const plain = await startTestEmulator();
    const key = { 'idempotency-key': 'a' };

    const missing = await emulator.call('PATCH', `/studies/${projectId}`, {}, key);
    const created = await emulator.call('POST', '/studies', {}, key);
    await plain.call('POST', '/studies', {}, key);
    await plain.call('POST', '/studies', {}, key);

    expect([missing.status, created.status]).toEqual([404, 200]);
    expect((await plain.call('GET', '/studies')).body).toMatchObject({ total: 2 });
  });
});

it('serves the OpenAPI document of the contract', async () => {
  const emulator = await startWith(foreign);

  const { body } = await emulator.call('GET', '/openapi.json');

  expect(Object.keys(Object(body).paths)).toEqual([
    '/studies',
    '/studies/{study_id}',
    '/studies/{id}/details',
  ]);
});

it('refuses to start with a contract that has a mistake', async () => {
  const mistaken = { answer: { naming: 'x' } } as unknown as ContractFile;

  await expect(startWith(mistaken)).rejects.toThrow(ContractError);
});
