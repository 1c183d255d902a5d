import { expect, it } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';
import { ownToken, startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';

const create = 'mutation { createStudy(input: {}) { id } }';
const named = /\. The emulator's token is demo-token\.$/;

async function startWithEmulator(options: TestGatewayOptions = {}) {
  const { url, token } = await startTestEmulator();
  return startTestGateway({ studyApiUrl: url, demoToken: token, ...options });
}

it('names a valid token to a caller whose token the emulator does not know, or who has none', async () => {
  const { graphql, url } = await startWithEmulator();

  const wrong = await graphql(create, {}, { authorization: 'Bearer wrong' });
  const none = await graphql(create, {}, { authorization: '' });
  const byGet = await fetch(`${url}/graphql?query={studies{total}}`, {
    headers: { 'apollo-require-preflight': 'yes' },
  });

  const error = (outcome: string) => ({
    message: expect.stringMatching(named),
    extensions: expect.objectContaining({ code: 'UNAUTHENTICATED', outcome }),
  });
  expect(wrong.errors).toMatchObject([error('REJECTED')]);
  expect(none.errors).toMatchObject([error('NOT_SENT')]);
  expect(await byGet.json()).toMatchObject({ errors: [error('NOT_SENT')] });
});

it('names no token to the callers of a gateway that has its own, nor if the Study API is no emulator', async () => {
  const own = await startWithEmulator(ownToken);
  const other = await startTestGateway({ api: answerJson({}, 401) });

  const results = [
    await own.graphql(create),
    await own.graphql(create, {}, { authorization: 'Bearer another' }),
    await other.graphql(create),
  ];

  expect(results.map(({ errors }) => errors)).toMatchObject([
    [{ extensions: { code: 'UPSTREAM_ERROR', outcome: 'REJECTED' } }],
    [{ extensions: { code: 'UNAUTHENTICATED', outcome: 'NOT_SENT' } }],
    [{ extensions: { code: 'UNAUTHENTICATED', outcome: 'REJECTED' } }],
  ]);
  expect(JSON.stringify(results)).not.toContain('demo');
});

it.each([401, 403])(
  'a %i of the Study API does not blame the caller of a gateway that has its own token',
  async (status) => {
    const { graphql, post } = await startTestGateway({
      api: answerJson({ detail: 'Invalid token' }, status),
      ...ownToken,
    });

    const { errors } = await graphql(create);
    const response = await post({ query: create });

    expect(errors?.map(({ extensions }) => extensions)).toEqual([
      {
        code: 'UPSTREAM_ERROR',
        outcome: 'REJECTED',
        retryable: false,
        upstreamStatus: status,
        requestId: expect.any(String),
      },
    ]);
    expect(response.headers.has('www-authenticate')).toBe(false);
  },
);
