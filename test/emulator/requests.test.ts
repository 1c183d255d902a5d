import { describe, expect, it } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';

const nobody = '/studies/00000000-0000-0000-0000-000000000000';

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

describe('bodies', () => {
  it.each<[string | undefined, object]>([
    ['{"a', { type: 'json_invalid', msg: 'JSON decode error', input: {} }],
    ['[]', { ...object, input: [] }],
    ['null', { ...object, input: null }],
    ['', { type: 'missing', msg: 'Field required', input: null }],
    [undefined, { type: 'missing', msg: 'Field required', input: null }],
  ])('refuses the body %s, which is no object', async (body, problem) => {
    const { call } = await startTestEmulator();

    expect(await call('POST', '/studies', body)).toEqual({
      status: 422,
      body: { detail: [{ ...problem, loc: ['body'] }] },
    });
  });

  it.each([
    ['text/plain', 422],
    ['application/x-www-form-urlencoded', 422],
    ['application/json; charset=utf-8', 200],
    ['APPLICATION/JSON', 200],
    ['application/merge-patch+json', 200],
  ])('reads a body of type %s only if it is JSON', async (type, status) => {
    const { call } = await startTestEmulator();

    const answer = await call('POST', '/studies', '{}', { 'content-type': type });

    expect(answer.status).toBe(status);
  });

  it('accepts a body of 1 MiB and refuses a longer one with 413', async () => {
    const { call } = await startTestEmulator();
    const rest = '{"status":""}'.length;
    const ofSize = (bytes: number) => JSON.stringify({ status: 'x'.repeat(bytes - rest) });

    expect((await call('POST', '/studies', ofSize(1024 * 1024))).status).toBe(200);
    expect((await call('POST', '/studies', ofSize(1024 * 1024 + 1))).status).toBe(413);
  });

  it.each([
    ['projectId', '6f1c2a340b9d1e5f8a7bffffffffffff', uuid],
    ['projectId', null, text],
    ['createdAt', '2024-01-01T00:00:00', dateTime],
    ['createdAt', '2023-02-29T00:00:00Z', dateTime],
    ['createdAt', '2024-01-01T24:00:00Z', dateTime],
    ['createdAt', '2024-01-01T00:00:60Z', dateTime],
    ['createdAt', ' 2024-01-01T00:00:00Z', dateTime],
    ['createdAt', 1704067200, text],
    ['bookmarked', 'true', flag],
    ['audiences', 'nurses', list],
    ['problems', null, list],
    ['progress', [], object],
    ['solutionId', 'x', uuid],
    ['strategy', 'time_travel', strategy],
    ['interviewCount', '1', int],
    ['interviewCount', 1.5, fraction],
    ['interviewCount', 2 ** 31, tooBig],
    ['interviewCount', -(2 ** 31) - 1, tooSmall],
    ['interviewCount', 2 ** 53, tooBig],
    ['interviewCount', 1e300, tooBig],
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

  it('reports all problems at once, each with its location', async () => {
    const { call } = await startTestEmulator();

    const answer = await call('PATCH', '/studies/nope', {
      projectId: 'x',
      audiences: ['a', 1, null],
      progress: { total: 1.5, completed: 2 ** 31, failed: null, done: 3 },
      problems: [],
      solutionId: null,
    });

    const detail = [
      { ...uuid, loc: ['path', 'study_id'], input: 'nope' },
      { ...uuid, loc: ['body', 'projectId'], input: 'x' },
      { ...text, loc: ['body', 'audiences', 1], input: 1 },
      { ...text, loc: ['body', 'audiences', 2], input: null },
      { ...fraction, loc: ['body', 'progress', 'total'], input: 1.5 },
      { ...tooBig, loc: ['body', 'progress', 'completed'], input: 2 ** 31 },
      { ...int, loc: ['body', 'progress', 'failed'], input: null },
      { ...extra, loc: ['body', 'progress', 'done'], input: 3 },
      // An edit does not have them.
      { ...extra, loc: ['body', 'problems'], input: [] },
      { ...extra, loc: ['body', 'solutionId'], input: null },
    ];
    expect(answer).toEqual({ status: 422, body: { detail } });
  });

  it('stores nothing of a refused edit', async () => {
    const { call, create } = await startTestEmulator();
    const study = await create();

    await call('PATCH', `/studies/${study.id}`, { status: 'new', bookmarked: 'no' });

    expect((await call('GET', `/studies/${study.id}`)).body).toEqual(study);
  });
});

describe('authentication', () => {
  it.each<[string, string, string | undefined, string]>([
    ['GET', nobody, '', 'Not authenticated'],
    ['GET', nobody, 'Basic ZGVtbzp0b2tlbg==', 'Not authenticated'],
    ['PATCH', nobody, 'Bearer two words', 'Not authenticated'],
    ['POST', '/studies', undefined, 'Not authenticated'],
    ['GET', '/studies', 'demo-token', 'Not authenticated'],
    ['POST', '/studies', 'Bearer unknown', 'Invalid token: use demo-token'],
  ])('answers 401 to %s %s with the header %s', async (method, path, authorization, detail) => {
    const { url } = await startTestEmulator();
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };

    const response = await fetch(url + path, {
      method,
      headers,
      ...(method !== 'GET' && { body: '{' }),
    });

    const challenge = response.headers.get('www-authenticate');
    expect([response.status, await response.json(), challenge]).toEqual([
      401,
      { detail },
      'Bearer',
    ]);
  });

  it('accepts the scheme in upper or lower case', async () => {
    const { call } = await startTestEmulator();

    expect(
      (await call('POST', '/studies', {}, { authorization: 'bearer demo-token' })).status,
    ).toBe(200);
  });
});

it.each([
  ['POST', '/'],
  ['GET', `${nobody}/interviews`],
  ['PUT', nobody],
  ['DELETE', nobody],
])('answers 404 to %s %s', async (method, path) => {
  const { call } = await startTestEmulator();

  const body = method === 'GET' ? undefined : '{';
  expect(await call(method, path, body)).toEqual({ status: 404, body: { detail: 'Not Found' } });
});
