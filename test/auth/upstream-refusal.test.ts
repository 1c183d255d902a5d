import { expect, it } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';

const create = 'mutation { createStudy(input: {}) { id } }';

it('tells who has a token that the emulator does not know one that works', async () => {
  const emulator = await startTestEmulator();
  const gateway = { studyApiUrl: emulator.url, demoToken: emulator.token };
  const { graphql } = await startTestGateway(gateway);

  const { errors } = await graphql(create, {}, { authorization: 'Bearer wrong' });

  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(/\. The emulator's token is demo-token\.$/),
      extensions: { code: 'UNAUTHENTICATED', outcome: 'REJECTED' },
    },
  ]);
});

it('tells no token in front of any other Study API', async () => {
  const { graphql } = await startTestGateway({ api: answerJson({}, 401) });

  const { errors } = await graphql(create);

  expect(errors?.map(({ message }) => message)).toEqual([expect.not.stringContaining('demo')]);
});

it.each([401, 403])(
  'a %i of the Study API is no judgement on who calls a gateway with a token of its own',
  async (status) => {
    const { graphql, post } = await startTestGateway({
      api: answerJson({ detail: 'Invalid token' }, status),
      authMode: 'service',
      studyApiToken: 'own-token',
    });

    const { errors } = await graphql(create);
    const response = await post({ query: create }, { authorization: '' });

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
