import { expect, it } from 'vitest';
import { ownToken, startTestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';

const create = 'mutation { createStudy(input: {}) { id } }';

it.each([401, 403])(
  'a %i of the Study API does not blame the caller of a gateway that has its own token',
  async (status) => {
    const { graphql, post, log } = await startTestGateway({
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
    // The operator's token is the cause.
    expect(log.find((line) => line['error'])).toMatchObject({ level: 40 });
  },
);
