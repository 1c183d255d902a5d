import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

const query = '{ __typename }';
const extensions = { persistedQuery: { version: 1, sha256Hash: hash('sha256', query) } };

async function post(gateway: TestGateway, body: object): Promise<unknown> {
  return (await gateway.post(body)).json();
}

const found = { data: { __typename: 'Query' } };
const notFound = {
  errors: [
    {
      message: 'PersistedQueryNotFound',
      extensions: {
        code: 'PERSISTED_QUERY_NOT_FOUND',
        outcome: 'NOT_SENT',
        retryable: false,
        requestId: expect.any(String),
      },
    },
  ],
};

it('runs a registered document by its hash', async () => {
  const gateway = await startTestGateway();

  expect(await post(gateway, { extensions })).toEqual(notFound);
  expect(await post(gateway, { query, extensions })).toEqual(found);
  // Apollo responds before it has stored the document.
  await expect.poll(() => post(gateway, { extensions })).toEqual(found);
});

it('registers no document that is longer than a document may be', async () => {
  const gateway = await startTestGateway();
  const long = `${query} #`.padEnd(20_001);
  const ofLong = { persistedQuery: { version: 1, sha256Hash: hash('sha256', long) } };

  expect(await post(gateway, { query: long, extensions: ofLong })).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  });
  expect(await post(gateway, { extensions: ofLong })).toEqual(notFound);
});

it('asks for the whole text again after strangers have registered 500 documents', async () => {
  const gateway = await startTestGateway();
  await post(gateway, { query, extensions });
  await expect.poll(() => post(gateway, { extensions })).toEqual(found);

  for (let index = 0; index < 500; index++) {
    const other = `{ a${index}: __typename }`;
    const ofOther = { persistedQuery: { version: 1, sha256Hash: hash('sha256', other) } };
    await gateway.post({ query: other, extensions: ofOther }, { authorization: '' });
  }

  await expect.poll(() => post(gateway, { extensions })).toEqual(notFound);
});
