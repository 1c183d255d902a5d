import { expect, it } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';

const nobody = '/studies/00000000-0000-0000-0000-000000000000';

it('reads a body only if it is a JSON object', async () => {
  const { call } = await startTestEmulator();
  const read = (body: string, type = 'application/json') =>
    call('POST', '/studies', body, { 'content-type': type });
  const refusal = (type: string) => ({
    status: 422,
    body: { detail: [{ type, loc: ['body'], msg: expect.any(String) }] },
  });

  expect(await read('{"a')).toMatchObject(refusal('json_invalid'));
  expect(await read('')).toMatchObject(refusal('invalid_type'));
  expect(await read('{}', 'text/plain')).toMatchObject(refusal('invalid_type'));
  expect(await read('{}', 'APPLICATION/merge-patch+json')).toMatchObject({ status: 200 });
});

it('refuses values that the Study API may accept', async () => {
  const { call } = await startTestEmulator();
  const wrong = [
    ['projectId', null, 'invalid_type'],
    ['createdAt', '2024-01-01T00:00:00', 'invalid_format'],
    ['createdAt', '2023-02-29T00:00:00Z', 'invalid_format'],
    ['strategy', 'time_travel', 'invalid_value'],
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

it.each([
  ['POST', '/studies', '', 'Not authenticated'],
  ['PATCH', nobody, 'Bearer two words', 'Not authenticated'],
  ['POST', '/studies', 'bearer unknown', 'Invalid token: use demo-token'],
])('answers 401 to %s %s with the header %j', async (method, path, authorization, detail) => {
  const { send } = await startTestEmulator();

  const response = await send(method, path, '{', { authorization });

  const challenge = response.headers.get('www-authenticate');
  expect([response.status, await response.json(), challenge]).toEqual([401, { detail }, 'Bearer']);
});

it('answers 404 to an unknown path', async () => {
  const { call } = await startTestEmulator();

  expect(await call('DELETE', nobody)).toEqual({ status: 404, body: { detail: 'Not Found' } });
});
