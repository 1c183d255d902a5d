import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
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

it('answers a status for each refusal, and stores nothing', async () => {
  const { send, countStudies } = await startWithFile();
  const msg = 'Value error, this token refuses every value';
  const problem = { type: 'value_error', loc: ['body', 'projectId'], msg, input: null };
  const refusals: [status: number, detail: unknown, headers?: object][] = [
    [401, 'Invalid token', { 'www-authenticate': 'Bearer' }],
    [403, 'Not enough permissions'],
    [404, 'Study not found'],
    [409, 'The study was changed by somebody else'],
    [422, [problem]],
    [429, 'Too many requests', { 'retry-after': '7' }],
    [500, 'Internal Server Error'],
    [503, 'Service Unavailable', { 'retry-after': '30' }],
  ];

  for (const [status, detail, headers = {}] of refusals) {
    const response = await send('POST', '/studies', { projectId }, bearer(`demo-${status}`));
    expect([response.status, await response.json()]).toEqual([status, { detail }]);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
  }
  expect(countStudies()).toBe(0);
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

  async function startRunning(interviewCount: number) {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { call, create } = await startWithFile();
    const { body } = await call('POST', '/studies', { interviewCount }, running);
    const { id } = studySchema.parse(body);
    const read = async (path = `/studies/${id}`) => (await call('GET', path)).body;
    return { body, id, call, create, read };
  }

  it('runs its interviews to their end, in a list too, and leaves other studies as they are', async () => {
    const { body, create, read } = await startRunning(12);
    const still = await create({ projectId, interviewCount: 3 });
    const page = z.object({ items: z.tuple([studySchema, studySchema]) });
    const states = [studySchema.parse(body)];
    // Each interview takes 0.7 s.
    for (let second = 0; second <= 8.4; second++) {
      vi.advanceTimersByTime(1_000);
      const [other, study] = page.parse(await read('/studies')).items;
      expect([other, study]).toEqual([still, await read()]);
      states.push(study);
    }

    const ended = states.map(({ progress }) => progress!.completed + progress!.failed);
    expect(ended).toEqual(ended.toSorted((a, b) => a - b));
    expect([ended[0], ended.at(-1)]).toEqual([0, 12]);
    expect(states.every(({ progress }) => progress?.total === 12)).toBe(true);
    expect(states.map(({ status }) => status)).toEqual(
      ended.map((count) => (count === 12 ? 'completed' : 'running')),
    );
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
