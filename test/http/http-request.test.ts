import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';

const json = { 'content-type': 'application/json' };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads a response, and replaces its request id in the body by the text `x-request-id`. */
async function read(response: Response) {
  const requestId = response.headers.get('x-request-id') ?? 'no x-request-id';
  const body = (await response.text()).replaceAll(requestId, 'x-request-id');
  const contentType = response.headers.get('content-type')?.split(';')[0];
  return { status: response.status, contentType, body: JSON.parse(body) as unknown };
}

/** Returns the expected response of a refusal. All refusals have this shape. */
function refusal(status: number, message: unknown = expect.any(String), code = 'BAD_REQUEST') {
  const extensions = { code, outcome: 'NOT_SENT', retryable: false, requestId: 'x-request-id' };
  return { status, contentType: 'application/json', body: { errors: [{ message, extensions }] } };
}

describe('GET', () => {
  it.for([
    { 'apollo-require-preflight': 'true' },
    json,
    // No browser sends it by itself.
    { authorization: 'Bearer test-token' },
  ])('runs a query with %j', async (headers) => {
    const { url } = await startTestGateway();

    const response = await fetch(`${url}/graphql?query={__typename}`, { headers });

    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toMatch(uuid);
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });
});

describe('methods and paths', () => {
  it.for(['PUT', 'PATCH', 'DELETE'])('refuses %s with 405 and Allow', async (method) => {
    const { send } = await startTestGateway();

    const response = await send({ method });

    expect(response.headers.get('allow')).toBe('GET, POST');
    expect(await read(response)).toEqual(refusal(405));
  });

  it.for(['/graphql/', '/studies', '/graphql%2F'])('answers 404 at %s', async (path) => {
    const { url } = await startTestGateway();

    const response = await fetch(url + path);

    expect(await read(response)).toEqual(
      refusal(404, 'There is nothing here. GraphQL is served at /graphql.', 'NOT_FOUND'),
    );
  });
});

it.for(['*/*', 'text/html,*/*;q=0.8'])(
  'a GET /graphql without an operation is answered with instructions that work (%s)',
  async (accept) => {
    const { send } = await startTestGateway({ sandbox: false });
    const refused = await read(await send({ headers: { accept } }));
    const message = expect.stringMatching(/^This is the GraphQL endpoint\. /);
    expect(refused).toEqual(refusal(400, message));
    const { errors } = refused.body as { errors: { message: string }[] };
    const [, type = '', body = ''] =
      /content-type: (\S+) .* such as (.+)\.$/.exec(errors[0]?.message ?? '') ?? [];

    const response = await send({ method: 'POST', headers: { 'content-type': type }, body });

    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  },
);

const asJson = 'application/json; charset=utf-8';
const asGraphql = 'application/graphql-response+json; charset=utf-8';

it.each([
  ['application/json', asJson],
  ['application/graphql-response+json', asGraphql],
  ['Application/GraphQL-Response+JSON; charset=utf-8', asGraphql],
  ['application/graphql-response+json, application/json;q=0.9', asGraphql],
  ['application/json, application/graphql-response+json;q=0.999', asJson],
  ['*/*', asJson],
  ['application/graphql-response+json;q=0, */*', asJson],
  ['image/png', asJson],
  ['application/json;q=0', asJson],
  [';;,=,q=', asJson],
])('runs an operation once, and answers, whatever its Accept header: %s', async (accept, type) => {
  const { post, calls } = await startTestGateway();
  const query = 'mutation { createStudy(input: {}) { status } }';

  const response = await post({ query }, { accept });

  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  expect(await response.json()).toEqual({ data: { createStudy: { status: 'running' } } });
  expect(calls).toHaveLength(1);
});
