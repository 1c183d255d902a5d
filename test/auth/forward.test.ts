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
  ['a malformed token', { authorization: 'Bearer a b' }, challenges.token],
  ['a token that is too long', { authorization: `Bearer ${'a'.repeat(8_193)}` }, challenges.token],
])('tells a caller with %s how to authenticate', async (_, headers, challenge) => {
  expect(await readChallenge(await startTestGateway(), headers)).toBe(challenge);
});

it.each([200, 401, 403, 500])(
  'adds no WWW-Authenticate to a %i of the Study API',
  async (status) => {
    const gateway = await startTestGateway({ api: answerJson({}, status) });

    expect(await readChallenge(gateway, { authorization: 'Bearer token' })).toBeNull();
  },
);

it('forwards the token of each caller, and ignores a configured token', async () => {
  const gateway = await startTestGateway({ studyApiToken: 'service-token' });

  await readChallenge(gateway, { authorization: 'Bearer own' });

  expect(gateway.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer own']);
});
