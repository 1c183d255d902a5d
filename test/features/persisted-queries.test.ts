import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createPersistedQueries } from '../../src/features/documents/persisted-queries.js';
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

it('asks for the whole text again after strangers have registered 16 MiB of documents', async () => {
  const gateway = await startTestGateway();
  await post(gateway, { query, extensions });

  const others = Array.from(
    { length: 450 },
    (_, n) => `{ __typename } # ${n} ${'x'.repeat(19_900)}`,
  );
  await Promise.all(
    others.map((other) => {
      const sha256Hash = hash('sha256', other);
      return post(gateway, {
        query: other,
        extensions: { persistedQuery: { version: 1, sha256Hash } },
      });
    }),
  );

  expect(await post(gateway, { extensions })).toEqual(notFound);
  expect(await post(gateway, { query, extensions })).toEqual(found);
  await expect.poll(() => post(gateway, { extensions })).toEqual(found);
});

it.each([1, 20_000])('keeps 16 MiB of documents of %i characters', async (length) => {
  const cache = createPersistedQueries();
  const documents = Array.from({ length: 40_000 }, (_, index) => `${index}`);
  for (const name of documents) await cache.set(name, 'x'.repeat(length));

  const kept = await Promise.all(documents.map((name) => cache.get(name)));
  const count = kept.filter((document) => document !== undefined).length;
  // Each document counts two bytes per character, and 512 bytes for its entry in the cache.
  expect(count).toBe(Math.floor((16 * 1024 * 1024) / (2 * length + 512)));
});
