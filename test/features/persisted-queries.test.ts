import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { daily } from '../support/daily.js';
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

daily(() => {
  it(
    'asks for the whole text again after strangers have registered 30 MiB',
    {
      timeout: 60_000,
    },
    async () => {
      const gateway = await startTestGateway();
      await post(gateway, { query, extensions });
      await expect.poll(() => post(gateway, { extensions })).toEqual(found);

      const longest = 20_000;
      for (let index = 0; index * longest < 30 * 2 ** 20; index++) {
        const other = `{ __typename } # ${index} `.padEnd(longest, '.');
        const ofOther = { persistedQuery: { version: 1, sha256Hash: hash('sha256', other) } };
        await gateway.post({ query: other, extensions: ofOther }, { authorization: '' });
      }

      await expect.poll(() => post(gateway, { extensions })).toEqual(notFound);
    },
  );
});
