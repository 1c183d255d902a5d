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

it.for([{ toString: 1 }, [{ toString: 1 }], 7])(
  'refuses a hash that is no text: %j',
  async (sha256Hash) => {
    const gateway = await startTestGateway();

    const response = await gateway.post({
      extensions: { persistedQuery: { version: 1, sha256Hash } },
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST' } }],
    });
  },
);
