import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bearer, startTestEmulator } from '../support/emulator.js';
import { createDirectory } from '../support/process.js';

const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);

/** A create body with all fields, each with a value that differs from its default. */
const full = {
  description: 'Zoë’s “study” 🧪\u0000\ud800',
  projectId: '6F1C2A34-0B9D-1E5F-8A7B-ffffffffffff',
  createdAt: '2024-02-29T23:59:59.123456789+05:30',
  bookmarked: true,
  language: 'pt-BR',
  audiences: ['nurses', ''],
  problems: ['night shifts'],
  files: ['a.pdf'],
  progress: { total: 2147483647, completed: -2147483648, failed: 0 },
  status: 'running',
  solutionId: 'C0FFEE00-0000-0000-0000-000000000001',
  researchGoalId: '00000000-0000-0000-0000-000000000000',
  knowledgeGraphs: ['graph'],
  strategy: 'concept_study',
  interviewCount: 12,
  interviews: ['interview'],
};

const fullAnswer = {
  id,
  ...full,
  audiencesObj: [{ name: 'nurses' }, { name: '' }],
  problemsObj: [{ name: 'night shifts' }],
  planId: null,
  solution: { id: full.solutionId },
  researchGoal: { id: full.researchGoalId },
  summaries: [],
};

const emptyAnswer = {
  id,
  description: null,
  projectId: '00000000-0000-4000-8000-000000000000',
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  bookmarked: false,
  language: 'en',
  audiences: [],
  audiencesObj: [],
  problems: [],
  problemsObj: [],
  files: [],
  planId: null,
  progress: null,
  status: 'draft',
  solutionId: null,
  solution: null,
  researchGoalId: null,
  researchGoal: null,
  knowledgeGraphs: [],
  strategy: 'solution_feedback',
  interviewCount: null,
  interviews: [],
  summaries: [],
};

describe('create', () => {
  it('stores and answers all sixteen fields verbatim, in the order of the reference', async () => {
    const { send } = await startTestEmulator();

    const response = await send('POST', '/studies', full);
    const study: unknown = await response.json();

    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ]);
    expect(study).toEqual(fullAnswer);
    expect(Object.keys(Object(study))).toEqual(Object.keys(emptyAnswer));
  });

  it('fills omitted fields with defaults, and takes null where an answer has null', async () => {
    const { create } = await startTestEmulator();
    const nullable = ['description', 'progress', 'solutionId', 'researchGoalId', 'interviewCount'];
    const nulls = Object.fromEntries(nullable.map((field) => [field, null]));

    expect([await create({}), await create(nulls)]).toEqual([emptyAnswer, emptyAnswer]);
  });
});

describe('read', () => {
  it('answers what the create answered, for the id in upper or lower case', async () => {
    const { call, create } = await startTestEmulator();
    const study = await create(full);

    const read = await call('GET', `/studies/${study.id.toUpperCase()}`);

    expect(read).toEqual({ status: 200, body: study });
  });
});

describe('edit', () => {
  const edit = {
    description: 'other',
    projectId: '11111111-1111-1111-1111-111111111111',
    createdAt: '2025-01-01T00:00:00.000001Z',
    bookmarked: false,
    language: '',
    audiences: ['patients'],
    files: [],
    progress: { total: 3, completed: 2, failed: 1 },
    status: '',
    knowledgeGraphs: [],
    strategy: 'custom_script',
    interviewCount: 0,
    interviews: ['one', 'two'],
  };

  it('replaces all thirteen fields and stores them', async () => {
    const { call, create } = await startTestEmulator();
    const study = await create(full);
    const expected = { ...study, ...edit, audiencesObj: [{ name: 'patients' }] };

    const edited = await call('PATCH', `/studies/${study.id.toUpperCase()}`, edit);

    expect(edited).toEqual({ status: 200, body: expected });
    expect((await call('GET', `/studies/${study.id}`)).body).toEqual(expected);
  });

  it('changes only the field that the body has, clears on null, and keeps omitted integers', async () => {
    const { call, create } = await startTestEmulator();
    const study = await create({ ...full, progress: { completed: 1 } });
    const path = `/studies/${study.id}`;

    expect(await call('PATCH', path, {})).toEqual({ status: 200, body: study });
    expect((await call('PATCH', path, { description: null, status: '' })).body).toEqual({
      ...study,
      description: null,
      status: '',
    });
    expect((await call('PATCH', path, { progress: { total: 2 } })).body).toMatchObject({
      progress: { total: 2, completed: 1, failed: 0 },
      status: '',
    });
  });
});

describe('database', () => {
  it('keeps studies and their owners across a restart, but stores no token', async () => {
    const database = join(createDirectory(), 'not', 'there', 'yet', 'studies.db');
    const tokens = ['secret-of-ada', 'grace'];

    const first = await startTestEmulator({ database, tokens });
    const study = await first.create(full);
    await first.close();
    const second = await startTestEmulator({ database, tokens });

    const path = `/studies/${study.id}`;
    expect((await second.call('GET', path)).body).toEqual(study);
    expect((await second.call('GET', path, undefined, bearer('grace'))).status).toBe(404);
    await second.close();
    expect(readFileSync(database).includes('secret-of-ada')).toBe(false);
  });
});
