import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';

const create = 'mutation { createStudy(input: {}) { id } }';

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
