import type { ApolloServerPlugin } from '@apollo/server';
import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../src/context.js';
import { addGraphQL } from '../../src/http/graphql-route.js';
import { createErrorAnswer } from '../../src/http/refusals.js';
import { startTestApollo } from '../support/apollo.js';
import { createTestContext } from '../support/context.js';
import { wholeStudy } from '../support/studies.js';

const fail = async (): Promise<never> => {
  throw new Error('secret of the plugin');
};

const plugins: [string, number, ApolloServerPlugin<Context>][] = [
  ['before the operation', 0, { requestDidStart: fail }],
  ['after the operation', 1, { requestDidStart: async () => ({ willSendResponse: fail }) }],
];

const unwritable: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async willSendResponse({ response: { body } }) {
      if (body.kind === 'single') body.singleResult.extensions = { noJson: 1n };
    },
  }),
};

/** Sends an operation to the GraphQL route with `plugin` added to Apollo. Counts the calls to the Study API. */
async function send(plugin: ApolloServerPlugin<Context>, method: 'GET' | 'POST') {
  const apollo = await startTestApollo(pino({ level: 'silent' }), plugin);
  const app = Fastify();
  onTestFinished(() => app.close());
  let calls = 0;
  const context = createTestContext(async () => {
    calls += 1;
    return wholeStudy;
  });
  app.setErrorHandler(createErrorAnswer(() => {}));
  await addGraphQL(apollo, () => context)(app);
  const query =
    method === 'GET'
      ? `{ study(id: "${wholeStudy.id}") { id } }`
      : 'mutation { createStudy(input: {}) { id } }';
  const response = await app.inject({
    method,
    url: '/graphql',
    headers: { 'content-type': 'application/json' },
    ...(method === 'GET' ? { query: { query } } : { payload: { query } }),
  });
  return { calls, response };
}

it.each([
  ...plugins.map(([when, ...more]) => [`a plugin throws ${when}`, ...more] as const),
  ['its response cannot be written as JSON', 1, unwritable] as const,
])('reports UNKNOWN for a mutation when %s', async (_, made, plugin) => {
  const { calls, response } = await send(plugin, 'POST');

  expect(calls).toBe(made);
  expect(response.statusCode).toBe(500);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.json()).toEqual({
    errors: [
      {
        message: 'Internal server error',
        extensions: {
          outcome: 'UNKNOWN',
          retryable: false,
          code: 'INTERNAL_SERVER_ERROR',
          requestId: expect.any(String),
        },
      },
    ],
  });
});

it.each(plugins)(
  'reports the error of a query over GET when a plugin throws %s',
  async (_, __, plugin) => {
    const { response } = await send(plugin, 'GET');

    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({
      errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
  },
);
