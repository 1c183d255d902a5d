import { describe, expect, it } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';

const text = { type: 'string_type', msg: 'Input should be a valid string' };
const flag = { type: 'bool_type', msg: 'Input should be a valid boolean' };
const list = { type: 'list_type', msg: 'Input should be a valid list' };
const object = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
};
const int = { type: 'int_type', msg: 'Input should be a valid integer' };
const fraction = {
  type: 'int_from_float',
  msg: 'Input should be a valid integer, got a number with a fractional part',
};
const tooBig = {
  type: 'less_than_equal',
  msg: 'Input should be less than or equal to 2147483647',
};
const tooSmall = {
  type: 'greater_than_equal',
  msg: 'Input should be greater than or equal to -2147483648',
};
const uuid = {
  type: 'uuid_parsing',
  msg: 'Input should be a valid UUID, expected 8-4-4-4-12 hexadecimal digits',
};
const dateTime = {
  type: 'datetime_from_date_parsing',
  msg: 'Input should be a valid datetime or date, expected RFC 3339 with an offset',
};
const strategy = {
  type: 'enum',
  msg:
    "Input should be 'solution_feedback', 'problem_exploration', 'custom_script', " +
    "'dynamic_interview', 'ethnographic_research' or 'concept_study'",
};
const extra = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };

describe('validation', () => {
  it.each([
    ['description', 1, text],
    ['projectId', 'x', uuid],
    ['projectId', '6f1c2a340b9d1e5f8a7bffffffffffff', uuid],
    ['projectId', 7, text],
    ['projectId', null, text],
    ['createdAt', '2024-01-01', dateTime],
    ['createdAt', '2024-01-01T00:00:00', dateTime],
    ['createdAt', '2024-01-01T00:00Z', dateTime],
    ['createdAt', '2023-02-29T00:00:00Z', dateTime],
    ['createdAt', '1900-02-29T00:00:00Z', dateTime],
    ['createdAt', '2024-04-31T00:00:00Z', dateTime],
    ['createdAt', '2024-00-10T00:00:00Z', dateTime],
    ['createdAt', '2024-13-10T00:00:00Z', dateTime],
    ['createdAt', '2024-01-00T00:00:00Z', dateTime],
    ['createdAt', '2024-01-01T24:00:00Z', dateTime],
    ['createdAt', '2024-01-01T00:00:60Z', dateTime],
    ['createdAt', '2024-01-01T00:00:00+24:00', dateTime],
    ['createdAt', ' 2024-01-01T00:00:00Z', dateTime],
    ['createdAt', 1704067200, text],
    ['createdAt', null, text],
    ['bookmarked', 'true', flag],
    ['bookmarked', null, flag],
    ['language', null, text],
    ['audiences', 'nurses', list],
    ['audiences', null, list],
    ['problems', null, list],
    ['files', {}, list],
    ['progress', 5, object],
    ['progress', [], object],
    ['status', null, text],
    ['solutionId', 'x', uuid],
    ['researchGoalId', 'x', uuid],
    ['knowledgeGraphs', null, list],
    ['strategy', 'time_travel', strategy],
    ['strategy', null, strategy],
    ['interviewCount', '1', int],
    ['interviewCount', 1.5, fraction],
    ['interviewCount', 2 ** 31, tooBig],
    ['interviewCount', -(2 ** 31) - 1, tooSmall],
    ['interviewCount', 2 ** 53, tooBig],
    ['interviewCount', -(2 ** 53), tooSmall],
    ['interviewCount', 1e300, tooBig],
    ['interviews', null, list],
    ['id', 'x', extra],
    ['toString', 'x', extra],
  ])('refuses %s = %j', async (field, input, { type, msg }) => {
    const { call } = await startTestEmulator();

    const answer = await call('POST', '/studies', { [field]: input });

    expect(answer).toEqual({
      status: 422,
      body: { detail: [{ type, loc: ['body', field], msg, input }] },
    });
  });

  it('reports all problems of a body at once, each with its location', async () => {
    const { call } = await startTestEmulator();

    const answer = await call('POST', '/studies', {
      projectId: 'x',
      audiences: ['a', 1, null],
      progress: { total: 1.5, completed: 2 ** 31, failed: null, done: 3 },
      name: 'n',
      tags: [],
    });

    expect(answer).toEqual({
      status: 422,
      body: {
        detail: [
          { ...uuid, loc: ['body', 'projectId'], input: 'x' },
          { ...text, loc: ['body', 'audiences', 1], input: 1 },
          { ...text, loc: ['body', 'audiences', 2], input: null },
          { ...fraction, loc: ['body', 'progress', 'total'], input: 1.5 },
          { ...tooBig, loc: ['body', 'progress', 'completed'], input: 2 ** 31 },
          { ...int, loc: ['body', 'progress', 'failed'], input: null },
          { ...extra, loc: ['body', 'progress', 'done'], input: 3 },
          { ...extra, loc: ['body', 'name'], input: 'n' },
          { ...extra, loc: ['body', 'tags'], input: [] },
        ],
      },
    });
  });

  it('refuses the three fields that an edit does not have', async () => {
    const { call, create } = await startTestEmulator();
    const { id } = await create();

    const answer = await call('PATCH', `/studies/${id}`, {
      problems: [],
      solutionId: null,
      researchGoalId: null,
    });

    expect(answer).toEqual({
      status: 422,
      body: {
        detail: [
          { ...extra, loc: ['body', 'problems'], input: [] },
          { ...extra, loc: ['body', 'solutionId'], input: null },
          { ...extra, loc: ['body', 'researchGoalId'], input: null },
        ],
      },
    });
  });

  it('refuses an id in the path that is not a UUID, together with the problems of the body', async () => {
    const { call } = await startTestEmulator();
    const inPath = { ...uuid, loc: ['path', 'study_id'], input: 'nope' };

    expect(await call('GET', '/studies/nope')).toEqual({
      status: 422,
      body: { detail: [inPath] },
    });
    expect(await call('PATCH', '/studies/nope', { status: 1 })).toEqual({
      status: 422,
      body: { detail: [inPath, { ...text, loc: ['body', 'status'], input: 1 }] },
    });
    expect((await call('GET', `/studies/${'a'.repeat(2000)}`)).status).toBe(422);
  });

  it('stores nothing of a refused edit', async () => {
    const { call, create } = await startTestEmulator();
    const study = await create();

    await call('PATCH', `/studies/${study.id}`, { status: 'new', bookmarked: 'no' });

    expect((await call('GET', `/studies/${study.id}`)).body).toEqual(study);
  });
});
