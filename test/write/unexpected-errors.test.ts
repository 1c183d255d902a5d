import type { ApolloServerPlugin } from '@apollo/server';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { createStudy, study, toRequestBody } from '../support/operations.js';

const fail = async (): Promise<never> => {
  throw new Error('secret of the plugin');
};

const plugins: readonly (readonly [when: string, calls: number, ApolloServerPlugin])[] = [
  ['a plugin throws before the operation', 0, { requestDidStart: fail }],
  [
    'a plugin throws after the operation',
    1,
    { requestDidStart: async () => ({ willSendResponse: fail }) },
  ],
  [
    'its response cannot be written as JSON',
    1,
    {
      requestDidStart: async () => ({
        async willSendResponse({ response: { body } }) {
          if (body.kind === 'single') body.singleResult.extensions = { noJson: 1n };
        },
      }),
    },
  ],
];

it.each(plugins)('reports UNKNOWN for a mutation when %s', async (_, made, plugin) => {
  const { post, calls, log } = await startTestGateway({ additions: { plugins: [plugin] } });

  const response = await post(toRequestBody(createStudy));

  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const code = 'INTERNAL_SERVER_ERROR';
  const extensions = { outcome: 'UNKNOWN', retryable: false, code, requestId: expect.any(String) };
  expect(await response.json()).toEqual({
    errors: [{ message: 'Internal server error', extensions }],
  });
  expect(calls).toHaveLength(made);
  expect(log).toContainEqual(expect.objectContaining({ level: 50, err: expect.any(Object) }));
});

it('reports the error of a query without an outcome', async () => {
  const { post } = await startTestGateway({ additions: { plugins: [plugins[1]![2]] } });

  const response = await post(toRequestBody(study));

  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({
    errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
  });
});
