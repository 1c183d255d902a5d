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

describe('lost answers', () => {
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
