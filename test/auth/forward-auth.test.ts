import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { getIntrospectionQuery } from 'graphql';
import { expect, it } from 'vitest';
import { createStudy, allOperations, run, toLedger, toRequestBody } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { challenges } from '../support/standing.js';
import { wholeStudy } from '../support/studies.js';

const everyCharacter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/';
const long = 'z'.repeat(12_000);

const missing = 'Send your token as "Authorization: Bearer <API_TOKEN>".';
const malformed = 'The Authorization header holds no bearer token (RFC 6750).';

/** Sends `POST /graphql` with exactly these headers, which `fetch` would refuse or join. Returns body and challenge. */
function post(
  url: string,
  headers: Record<string, string | string[]>,
  body: string,
): Promise<{ body: unknown; challenge: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    })
      .on('response', (response) => {
        const challenge = response.headers['www-authenticate'];
        resolve(json(response).then((answered) => ({ body: answered, challenge })));
      })
      .on('error', reject)
      .end(body);
  });
}

it.each([
  ['every character of RFC 6750', `Bearer ${everyCharacter}`, everyCharacter],
  ['padding', 'Bearer abc==', 'abc=='],
  ['a scheme in lower case, and several spaces', 'bearer   abc', 'abc'],
  ['12,000 bytes', `Bearer ${long}`, long],
])('forwards a token verbatim: %s', async (_, authorization, token) => {
  const gateway = await startTestGateway({ studyApiToken: 'of-nobody' });

  const answer = await run(gateway, createStudy, { authorization });

  expect(answer.body).toEqual({ data: { createStudy: wholeStudy } });
  expect(gateway.calls.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`]);
});

const refusals: [string, string | string[] | undefined, string][] = [
  ['no header', undefined, missing],
  ['an empty header', '', malformed],
  ['Bearer alone', 'Bearer', malformed],
  ['Basic', 'Basic canary', malformed],
  ['a token with a space', 'Bearer canary canary', malformed],
  ['a token with = in it', 'Bearer can=ary', malformed],
  ['a token in Latin-1', 'Bearer canáry', malformed],
  ['two equal headers', ['Bearer canary', 'Bearer canary'], malformed],
];

const [noHeader] = refusals;

it.each([
  ...refusals.map((refusal) => ({ operation: createStudy, refusal })),
  ...allOperations.map((operation) => ({ operation, refusal: noHeader })),
])('refuses $operation.field with $refusal.0 before any call', async ({ operation, refusal }) => {
  const [, authorization, message] = refusal!;
  const gateway = await startTestGateway();

  const headers = authorization === undefined ? {} : { authorization };
  const answer = await post(gateway.url, headers, toRequestBody(operation));

  const isBearer = /^bearer /i.test(String(authorization));
  const extensions = {
    code: 'UNAUTHENTICATED',
    outcome: 'NOT_SENT',
    retryable: false,
    requestId: expect.any(String),
  };
  expect(answer).toEqual({
    body: { errors: [{ message, extensions }] },
    challenge: isBearer ? challenges.token : challenges.none,
  });
  expect(gateway.calls).toEqual([]);
  expect(gateway.log.find(({ msg }) => msg === 'operation')).toMatchObject({ reason: message });
  expect(JSON.stringify([answer, gateway.log])).not.toMatch(/canary|zzzz/);
});

it.each([
  ['an unknown field', '{ study(id: "11111111-1111-4111-8111-111111111111") { nothing } }'],
  ['a literal that is no UUID', 'mutation { editStudy(id: "a-value", input: {}) { id } }'],
  ['an unknown field of the schema', '{ __schema { nothing } }'],
])('a document with %s is judged for a caller alone', async (_, query) => {
  const { post, calls, log } = await startTestGateway();

  const stranger = await post({ query }, { authorization: '' });
  const caller = await post({ query });

  expect(stranger.status).toBe(401);
  expect(await stranger.json()).toEqual({
    errors: [
      {
        message: missing,
        extensions: expect.objectContaining({ code: 'UNAUTHENTICATED', outcome: 'NOT_SENT' }),
      },
    ],
  });
  expect(log.find(({ msg }) => msg === 'operation')).toMatchObject({ reason: missing });
  expect(caller.status).toBe(400);
  expect(await caller.json()).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  });
  expect(calls).toEqual([]);
});

it('judges no variable for a stranger, though a fragment has the root field', async () => {
  const { post } = await startTestGateway();
  const query = 'query ($id: UUID!) { ...F } fragment F on Query { study(id: $id) { id } }';

  const { status } = await post({ query, variables: { id: 'a-value' } }, { authorization: '' });

  expect(status).toBe(401);
});

it.each([
  ['__typename', '{ __typename }', { __typename: 'Query' }],
  ['introspection', getIntrospectionQuery(), { __schema: expect.any(Object) }],
])('answers %s without a token', async (_, query, data) => {
  const gateway = await startTestGateway();

  const { body } = await post(gateway.url, {}, JSON.stringify({ query }));

  expect(body).toEqual({ data });
  expect(toLedger(gateway)).toEqual([]);
});
