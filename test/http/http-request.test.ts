import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';

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

it.for([
  ['GET', '/graphql/'],
  ['GET', '/graphql%2F'],
  ['GET', '/studies'],
  ['PUT', '/graphql'],
] as const)('answers 404 to %s %s', async ([method, path]) => {
  const { url } = await startTestGateway();

  const response = await fetch(url + path, { method });

  const message = 'There is nothing here. GraphQL is served at /graphql, by GET and POST.';
  expect(await read(response)).toEqual(refusal(404, message, 'NOT_FOUND'));
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
