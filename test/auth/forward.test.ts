import { expect, it } from 'vitest';
import { createStudy, toRequestBody } from '../support/operations.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { Headers } from '../support/post.js';
import { answerJson } from '../support/study-api.js';
import { challenges } from '../support/standing.js';

async function readChallenge({ post }: TestGateway, headers: Headers): Promise<string | null> {
  const response = await post(toRequestBody(createStudy), { authorization: '', ...headers });
  return response.headers.get('www-authenticate');
}

it.each<[string, Headers, string]>([
  ['no token', {}, challenges.none],
  ['another scheme', { authorization: 'Basic YTpi' }, challenges.none],
  ['a token that is none', { authorization: 'Bearer a b' }, challenges.token],
  ['a token that is too long', { authorization: `Bearer ${'a'.repeat(8_193)}` }, challenges.token],
])('tells who sends %s how to prove who they are', async (_, headers, challenge) => {
  expect(await readChallenge(await startTestGateway(), headers)).toBe(challenge);
});

it.each([200, 401, 403, 500])('adds nothing to a %i of the Study API', async (status) => {
  const gateway = await startTestGateway({ api: answerJson({}, status) });

  expect(await readChallenge(gateway, { authorization: 'Bearer token' })).toBeNull();
});

it('passes the token of each caller on, and has no use for one of its own', async () => {
  const gateway = await startTestGateway({ studyApiToken: 'service-token' });

  await readChallenge(gateway, { authorization: 'Bearer own' });

  expect(gateway.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer own']);
});
