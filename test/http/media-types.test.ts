import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';

const json = 'application/json; charset=utf-8';
const graphqlJson = 'application/graphql-response+json; charset=utf-8';

it.each([
  ['application/json', json],
  ['application/graphql-response+json', graphqlJson],
  ['Application/GraphQL-Response+JSON; charset=utf-8', graphqlJson],
  ['application/graphql-response+json, application/json;q=0.9', graphqlJson],
  ['application/json, application/graphql-response+json', json],
  ['application/json, application/graphql-response+json;q=0.999', json],
  ['*/*', json],
  ['*/*, application/graphql-response+json', graphqlJson],
  ['application/*', json],
  ['application/graphql-response+json;q=0, */*', json],
  ['multipart/mixed;deferSpec=20220824,application/json', json],
  ['text/html', json],
  ['image/png', json],
  ['application/json;q=0', json],
  ['application/json;charset=utf-16', json],
  [';;,=,q=', json],
  ['application/graphql-response+json; charset="UTF-8"', graphqlJson],
])('runs an operation once, and answers, whatever its Accept header: %s', async (accept, type) => {
  const { post, calls } = await startTestGateway();
  const query = 'mutation { createStudy(input: {}) { status } }';

  const response = await post({ query }, { accept });

  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  expect(await response.json()).toEqual({ data: { createStudy: { status: 'running' } } });
  expect(calls).toHaveLength(1);
});
