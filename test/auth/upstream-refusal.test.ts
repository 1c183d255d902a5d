import { expect, it } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';
import { ownToken, startTestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';

const create = 'mutation { createStudy(input: {}) { id } }';

it('names a valid token to a caller whose token the emulator does not know', async () => {
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

it.each(['POST', 'GET'])('names a valid token to a caller without one, by %s', async (method) => {
  const emulator = await startTestEmulator();
  const { url, post } = await startTestGateway({
    studyApiUrl: emulator.url,
    demoToken: emulator.token,
  });

  const response =
    method === 'POST'
      ? await post({ query: create }, { authorization: '' })
      : await fetch(`${url}/graphql?query={studies{total}}`, {
          headers: { 'apollo-require-preflight': 'yes' },
        });

  expect(await response.json()).toMatchObject({
    errors: [
      {
        message: expect.stringMatching(/^Send .*\. The emulator's token is demo-token\.$/),
        extensions: { code: 'UNAUTHENTICATED', outcome: 'NOT_SENT' },
      },
    ],
  });
});

it("does not name the emulator's token to a caller of a gateway that has its own token", async () => {
  const emulator = await startTestEmulator();
  const { graphql } = await startTestGateway({
    studyApiUrl: emulator.url,
    demoToken: emulator.token,
    ...ownToken,
  });

  const { errors } = await graphql(create);

  expect(errors).toMatchObject([
    {
      message: expect.not.stringContaining('demo'),
      extensions: { code: 'UPSTREAM_ERROR', outcome: 'REJECTED' },
    },
  ]);
});

it('names no token if the Study API is not the emulator', async () => {
  const { graphql } = await startTestGateway({ api: answerJson({}, 401) });

  const { errors } = await graphql(create);

  expect(errors?.map(({ message }) => message)).toEqual([expect.not.stringContaining('demo')]);
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
