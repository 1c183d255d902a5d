import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { scenarios } from 'study-gateway-emulator';
import { studySchema } from '../../packages/emulator/src/schema.js';
import { bearer, startTestEmulator } from '../support/emulator.js';
import { createDirectory } from '../support/process.js';

const projectId = '6f1c2a34-0b9d-4e5f-8a7b-1c2d3e4f5a6b';

/** Starts an emulator with a database file, and returns a function that counts the studies in the file. */
async function startWithFile() {
  const database = join(createDirectory(), 'studies.db');
  const emulator = await startTestEmulator({ database });

  function countStudies(): unknown {
    const db = new DatabaseSync(database, { readOnly: true });
    try {
      return db.prepare('SELECT count(*) AS studies FROM studies').get()?.['studies'];
    } finally {
      db.close();
    }
  }
  return { ...emulator, countStudies };
}

it('describes each scenario in a sentence', () => {
  for (const { description } of scenarios) expect(description).toMatch(/^[A-Z].*\.$/);
});

describe('refusals', () => {
  it.each([
    [401, 'Invalid token', { 'www-authenticate': 'Bearer' }],
    [403, 'Not enough permissions', {}],
    [404, 'Study not found', {}],
    [409, 'The study was changed by somebody else', {}],
    [429, 'Too many requests', { 'retry-after': '7' }],
    [500, 'Internal Server Error', {}],
    [503, 'Service Unavailable', { 'retry-after': '30' }],
  ])('demo-%i answers its status and stores nothing', async (status, detail, headers) => {
    const { send, countStudies } = await startWithFile();

    const response = await send('POST', '/studies', { projectId }, bearer(`demo-${status}`));

    expect([response.status, await response.json()]).toEqual([status, { detail }]);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect(countStudies()).toBe(0);
  });

  it.each([
    ['POST', '/studies', ['body', 'projectId']],
    ['PATCH', `/studies/${projectId}`, ['body', 'projectId']],
    ['GET', `/studies/${projectId}`, ['path', 'study_id']],
    ['GET', '/studies', ['query', 'page']],
  ])('demo-422 refuses %s %s at %j', async (method, path, loc) => {
    const { call, countStudies } = await startWithFile();
    const body = method === 'GET' ? undefined : { projectId };

    const answer = await call(method, path, body, bearer('demo-422'));

    const msg = 'Value error, this token refuses every value';
    expect(answer).toEqual({
      status: 422,
      body: { detail: [{ type: 'value_error', loc, msg, input: null }] },
    });
    expect(countStudies()).toBe(0);
  });
});

describe('lost answers', () => {
  it('demo-hang never answers, stores nothing and ends with the emulator', async () => {
    const { call, close, countStudies } = await startWithFile();
    const hanging = call('POST', '/studies', { projectId }, bearer('demo-hang'));
    const outcome = hanging.then(
      () => 'answered',
      () => 'cut',
    );

    // Proves that a later call is answered while the first call waits.
    await call('POST', '/studies', {});
    expect(await Promise.race([outcome, Promise.resolve('waiting')])).toBe('waiting');
    await close();

    expect(await outcome).toBe('cut');
    expect(countStudies()).toBe(1);
  });

  it('demo-cut makes a write and cuts the connection, and answers reads and refusals', async () => {
    const { call, create, countStudies } = await startWithFile();
    const { id } = await create({ description: 'Before' });
    const path = `/studies/${id}`;
    const cut = bearer('demo-cut');

    await expect(call('POST', '/studies', { projectId }, cut)).rejects.toThrow('fetch failed');
    await expect(call('PATCH', path, { description: 'After' }, cut)).rejects.toThrow(
      'fetch failed',
    );

    expect(countStudies()).toBe(2);
    expect((await call('POST', '/studies', { projectId: 'x' }, cut)).status).toBe(422);
    expect(await call('GET', path, undefined, cut)).toMatchObject({
      status: 200,
      body: { id, description: 'After' },
    });
  });
});

describe('demo-running', () => {
  const running = bearer('demo-running');

  async function startRunning(interviewCount: number | undefined) {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { call, create } = await startWithFile();
    const { body } = await call('POST', '/studies', { interviewCount }, running);
    const { id } = studySchema.parse(body);
    const read = async (path = `/studies/${id}`) => (await call('GET', path)).body;
    return { body, id, call, create, read };
  }

  it.each([
    [undefined, 10, 7],
    [12, 12, 8.4],
    [0, 0, 0],
  ])('runs %s interviews to their end', async (interviewCount, total, seconds) => {
    const { body, read } = await startRunning(interviewCount);
    const states = [studySchema.parse(body)];
    for (let second = 0; second <= seconds; second++) {
      vi.advanceTimersByTime(1_000);
      states.push(studySchema.parse(await read()));
    }

    const ended = states.map(({ progress }) => progress!.completed + progress!.failed);
    expect(ended).toEqual(ended.toSorted((a, b) => a - b));
    expect([ended[0], ended.at(-1)]).toEqual([0, total]);
    expect(states.every(({ progress }) => progress?.total === total)).toBe(true);
    expect(states.map(({ status }) => status)).toEqual(
      ended.map((count) => (count === total ? 'completed' : 'running')),
    );
  });

  it('advances in a list, and leaves other studies as they are', async () => {
    const { id, create, read } = await startRunning(3);
    const still = await create({ projectId, interviewCount: 3 });
    vi.advanceTimersByTime(1_500);

    expect(await read('/studies')).toMatchObject({
      items: [
        { id: still.id, status: 'draft', progress: null },
        { id, status: 'running', progress: { total: 3, completed: 2, failed: 0 } },
      ],
    });
  });

  it('ends when its status is changed, not when its description is', async () => {
    const { id, call, read } = await startRunning(10);
    await call('PATCH', `/studies/${id}`, { description: 'Why?' });
    vi.advanceTimersByTime(1_500);
    expect(await read()).toMatchObject({ description: 'Why?', progress: { completed: 2 } });

    await call('PATCH', `/studies/${id}`, { status: 'paused' });
    vi.advanceTimersByTime(60_000);

    expect(await read()).toMatchObject({ status: 'paused', progress: { completed: 2 } });
  });
});

describe('drift', () => {
  it.each([
    ['demo-drift-missing', { audiences: undefined }],
    ['demo-drift-strategy', { strategy: ['solution_feedback'] }],
  ])('%s damages every answer about the studies of the demo token', async (name, damage) => {
    const { call, create } = await startTestEmulator();
    const first = await create({ description: 'Before' });
    const token = bearer(name);
    const path = `/studies/${first.id}`;

    const { body } = await call('POST', '/studies', { projectId }, token);
    const second = studySchema.parse((await call('GET', `/studies/${Object(body).id}`)).body);
    const edited = await call('PATCH', path, { description: 'After' }, token);
    const page = await call('GET', '/studies', undefined, token);

    const damaged = [
      { ...second, ...damage },
      { ...first, description: 'After', ...damage },
    ];
    expect([body, edited.body, page.body]).toEqual([
      damaged[0],
      damaged[1],
      { items: damaged, total: 2, page: 1, size: 50, pages: 1 },
    ]);
    expect((await call('GET', path)).body).toEqual({ ...first, description: 'After' });
  });
});
