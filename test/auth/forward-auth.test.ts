import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createStudy, allOperations, run, toLedger, toRequestBody } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const everyCharacter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/';
const longest = 'z'.repeat(8192);

const missing = 'Send the Study API token as "Authorization: Bearer <API_TOKEN>".';
const malformed = 'The Authorization header holds no bearer token (RFC 6750).';
const tooLong = 'The bearer token is longer than 8192 bytes.';

/** Sends `POST /graphql` with exactly these headers; `fetch` would refuse or join some of them. */
function post(
  url: string,
  headers: Record<string, string | string[]>,
  body: string,
): Promise<unknown> {
  const answer = Promise.withResolvers<unknown>();
  request(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  })
    .on('response', (response) => answer.resolve(json(response)))
    .on('error', answer.reject)
    .end(body);
  return answer.promise;
}

it.each([
  ['every character of RFC 6750', `Bearer ${everyCharacter}`, everyCharacter],
  ['padding', 'Bearer abc==', 'abc=='],
  ['a scheme in lower case', 'bearer abc', 'abc'],
  ['several spaces', 'Bearer   abc', 'abc'],
  ['8192 bytes', `Bearer ${longest}`, longest],
])('forwards a token verbatim: %s', async (_, authorization, token) => {
  const gateway = await startTestGateway();

  const answer = await run(gateway, createStudy, { authorization });

  expect(answer.body).toEqual({ data: { createStudy: wholeStudy } });
  expect(gateway.calls.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`]);
});

describe.each(allOperations)('$field', (operation) => {
  it.each<[string, string | string[] | undefined, string]>([
    ['no header', undefined, missing],
    ['an empty header', '', malformed],
    ['Bearer alone', 'Bearer', malformed],
    ['no space after Bearer', 'Bearercanary', malformed],
    ['Basic', 'Basic canary', malformed],
    ['a token alone', 'canary', malformed],
    ['a token with a space', 'Bearer canary canary', malformed],
    ['a token with a comma', 'Bearer canary,canary', malformed],
    ['a token with = in it', 'Bearer can=ary', malformed],
    ['a token in Latin-1', 'Bearer canáry', malformed],
    ['a token in UTF-8', Buffer.from('Bearer canary🔑').toString('latin1'), malformed],
    ['two equal headers', ['Bearer canary', 'Bearer canary'], malformed],
    ['two headers, one of them empty', ['Bearer canary', ''], malformed],
    ['8193 bytes', `Bearer ${longest}z`, tooLong],
  ])('refuses %s before any call to the Study API', async (_, authorization, message) => {
    const gateway = await startTestGateway();

    const answer = await post(
      gateway.url,
      authorization === undefined ? {} : { authorization },
      toRequestBody(operation),
    );

    expect(answer).toEqual({
      errors: [
        {
          message,
          extensions: {
            code: 'UNAUTHENTICATED',
            outcome: 'NOT_SENT',
            retryable: false,
            requestId: expect.any(String),
          },
        },
      ],
    });
    expect(gateway.calls).toEqual([]);
    expect(JSON.stringify([answer, gateway.log])).not.toMatch(/canary|zzzz/);
  });
});

it.each([
  ['an unknown field', '{ study(id: "11111111-1111-4111-8111-111111111111") { nothing } }'],
  ['a literal that is no UUID', 'mutation { editStudy(id: "a-value", input: {}) { id } }'],
  ['more fields than allowed', `{ ${'a'.repeat(70)}: studies { total } }`],
])('a document with %s is judged for a caller alone', async (_, query) => {
  const { post, calls } = await startTestGateway();

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
  expect(caller.status).toBe(400);
  expect(await caller.json()).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  });
  expect(calls).toEqual([]);
});

it('a document that reads only the schema is judged for everybody', async () => {
  const { graphql } = await startTestGateway();

  const { errors } = await graphql('{ __schema { nothing } }', {}, { authorization: '' });

  expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
});

it.each([
  ['__typename', '{ __typename }', { __typename: 'Query' }],
  ['introspection', getIntrospectionQuery(), { __schema: expect.any(Object) }],
])('answers %s without a token', async (_, query, data) => {
  const gateway = await startTestGateway();

  expect(await post(gateway.url, {}, JSON.stringify({ query }))).toEqual({ data });
  expect(toLedger(gateway)).toEqual([]);
});
