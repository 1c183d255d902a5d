import { expect, it } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';

const nobody = '/studies/00000000-0000-0000-0000-000000000000';

it.each([
  ['{"a', 'application/json', 'json_invalid'],
  ['null', 'application/json', 'invalid_type'],
  ['', 'application/json', 'invalid_type'],
  ['{}', 'text/plain', 'invalid_type'],
  ['{}', 'application/json; charset=utf-8', undefined],
  ['{}', 'APPLICATION/merge-patch+json', undefined],
])('reads the body %j of type %s only if it is a JSON object', async (body, contentType, type) => {
  const { call } = await startTestEmulator();

  const answer = await call('POST', '/studies', body, { 'content-type': contentType });

  const problem = { type, loc: ['body'], msg: expect.any(String) };
  expect(answer).toMatchObject(
    type === undefined ? { status: 200 } : { status: 422, body: { detail: [problem] } },
  );
});

it('accepts a body of 1 MiB and refuses a longer one with 413', async () => {
  const { call } = await startTestEmulator();
  const rest = '{"status":""}'.length;
  const ofSize = (bytes: number) => JSON.stringify({ status: 'x'.repeat(bytes - rest) });

  expect((await call('POST', '/studies', ofSize(1024 * 1024))).status).toBe(200);
  expect((await call('POST', '/studies', ofSize(1024 * 1024 + 1))).status).toBe(413);
});

it('refuses values of the wrong type or form', async () => {
  const { call } = await startTestEmulator();
  const wrong = [
    ['projectId', '6f1c2a340b9d1e5f8a7bffffffffffff', 'invalid_format'],
    ['projectId', null, 'invalid_type'],
    ['createdAt', '2024-01-01T00:00:00', 'invalid_format'],
    ['createdAt', '2023-02-29T00:00:00Z', 'invalid_format'],
    ['audiences', 'nurses', 'invalid_type'],
    ['strategy', 'time_travel', 'invalid_value'],
    ['interviewCount', 1.5, 'invalid_type'],
    ['interviewCount', 2 ** 31, 'too_big'],
  ] as const;

  for (const [field, input, type] of wrong)
    expect(await call('POST', '/studies', { [field]: input })).toEqual({
      status: 422,
      body: { detail: [{ type, loc: ['body', field], msg: expect.any(String), input }] },
    });
});

it('reports all problems at once, each with its location, and stores nothing', async () => {
  const { call, create } = await startTestEmulator();
  const study = await create();

  const answer = await call('PATCH', `/studies/${study.id}`, {
    status: 'new',
    audiences: ['a', 1],
    progress: { total: 1.5, done: 3 },
    // An edit does not have them.
    problems: [],
    toString: 'x',
  });

  // Unknown fields are at the place of the object that has them.
  const detail = [['audiences', 1], ['progress', 'total'], ['progress'], []].map((loc) =>
    expect.objectContaining({ loc: ['body', ...loc] }),
  );
  expect(answer).toEqual({ status: 422, body: { detail } });
  expect((await call('GET', `/studies/${study.id}`)).body).toEqual(study);
});

it.each<[string, string, string | undefined, string]>([
  ['GET', nobody, '', 'Not authenticated'],
  ['PATCH', nobody, 'Bearer two words', 'Not authenticated'],
  ['POST', '/studies', undefined, 'Not authenticated'],
  ['GET', '/studies', 'Basic ZGVtbzp0b2tlbg==', 'Not authenticated'],
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
  expect([response.status, await response.json(), challenge]).toEqual([401, { detail }, 'Bearer']);
});

it('accepts the scheme in lower case', async () => {
  const { call } = await startTestEmulator();
  const headers = { authorization: 'bearer demo-token' };

  expect((await call('GET', '/studies', undefined, headers)).status).toBe(200);
});

it('answers 404 to an unknown path', async () => {
  const { call } = await startTestEmulator();

  expect(await call('DELETE', nobody)).toEqual({ status: 404, body: { detail: 'Not Found' } });
});
