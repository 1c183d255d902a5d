import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { toLedger } from '../support/operations.js';
import { answerJson } from '../support/study-api.js';
import { toPage, wholeStudy } from '../support/studies.js';

const { id, description } = wholeStudy;
const otherId = '00000000-0000-4000-8000-000000000001';

/** Two equal reads of a study and of a list, under other names and with other fields. */
const twice = `query ($id: UUID!) {
  a: study(id: $id) { id }
  b: study(id: "${id}") { description }
  c: studies(size: 2) { total }
  d: studies(size: 2) { items { id } }
}`;

it('sends equal reads of one operation once', async () => {
  const { graphql, ...gateway } = await startTestGateway({
    api: (response, call, request) => {
      const body = call.url.startsWith('/studies?')
        ? toPage([wholeStudy], { size: 2 })
        : wholeStudy;
      return answerJson(body)(response, call, request);
    },
  });

  const answer = await graphql(twice, { id }, { 'x-study-explain': '1' });

  expect(answer.data).toEqual({
    a: { id },
    b: { description },
    c: { total: 1 },
    d: { items: [{ id }] },
  });
  expect(toLedger(gateway).toSorted()).toEqual([`GET /studies/${id}`, 'GET /studies?size=2']);
  expect(answer.extensions?.['explain']).toHaveLength(2);
});

it('gives the error of the one call to both', async () => {
  const { graphql, ...gateway } = await startTestGateway({
    api: (response) => response.writeHead(403, { 'content-type': 'application/json' }).end('{}'),
  });

  const { data, errors } = await graphql(
    `{ a: study(id: "${id}") { id } b: study(id: "${id}") { id } }`,
  );

  expect(data).toEqual({ a: null, b: null });
  const forbidden = { code: 'FORBIDDEN', upstreamStatus: 403, retryable: false };
  expect(errors).toEqual([
    expect.objectContaining({ path: ['a'], extensions: expect.objectContaining(forbidden) }),
    expect.objectContaining({ path: ['b'], extensions: expect.objectContaining(forbidden) }),
  ]);
  expect(toLedger(gateway)).toEqual([`GET /studies/${id}`]);
});

it('sends reads of other studies, of other operations and all writes on their own', async () => {
  const { graphql, ...gateway } = await startTestGateway();
  const read = `{ a: study(id: "${id}") { id } }`;
  const write = `mutation { a: createStudy(input: {}) { id } b: createStudy(input: {}) { id } }`;

  await graphql(`{ a: study(id: "${id}") { id } b: study(id: "${otherId}") { id } }`);
  await graphql(read);
  await graphql(read);
  await graphql(write);

  expect(toLedger(gateway).toSorted()).toEqual([
    `GET /studies/${otherId}`,
    ...Array<string>(3).fill(`GET /studies/${id}`),
    'POST /studies',
    'POST /studies',
  ]);
});

it('reads again after a write', async () => {
  const { graphql, ...gateway } = await startTestGateway({
    additions: {
      authorize: async (_, { shown, readStudy }) =>
        shown !== undefined || Boolean(await readStudy()),
    },
  });

  await graphql(
    `mutation { a: editStudy(id: "${id}", input: {}) { id } b: editStudy(id: "${id}", input: {}) { id } }`,
  );

  const both = [`GET /studies/${id}`, `PATCH /studies/${id}`];
  expect(toLedger(gateway)).toEqual([...both, ...both]);
});
