import { expect, it } from 'vitest';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { exchange, json, toPost, toRequest } from '../support/raw-http.js';

/** Returns the lines of refused requests, without the fields that pino adds. */
function lines({ log }: TestGateway): object[] {
  return log
    .filter(({ msg }) => msg === 'a request was refused')
    .map(({ requestId, status, reason }) => ({ requestId, status, reason }));
}

interface Answered {
  readonly errors: readonly { message: string; extensions: { requestId: string } }[];
}

const close = 'connection: close';
const form = [close, 'content-type: text/plain', 'content-length: 2'];

it.each<[string, number, string, TestGatewayOptions?]>([
  ['a body that is not JSON', 400, toPost('{', [close])],
  ['a batch', 400, toPost('[{"query":"{ __typename }"}]', [close])],
  [
    'a document that is not trusted',
    400,
    toPost('{"query":"{ a }"}', [close]),
    { trustedDocuments: 'schema/trusted-documents.json' },
  ],
  ['a GET without an operation', 400, toRequest('GET /graphql', [json, close])],
  ['an unknown path', 404, toRequest('GET /nothing', [close])],
  ['a long body', 413, toPost(' '.repeat(2_000)), { maxBodyBytes: 1_024 }],
  ['a body of another type', 415, toRequest('POST /graphql', form, '{}')],
  ['a caller over its limit', 429, toPost('{}', [close]), { rateLimitRequests: 1 }],
])('logs the reason and the id of its answer to %s', async (_, status, bytes, options) => {
  const gateway = await startTestGateway(options);
  // Spends the limit of the caller, in the case that has one.
  await gateway.post({}, { authorization: '' });

  const answers = await exchange(gateway.url, bytes);

  const last = answers.at(-1);
  const [error] = (last!.body as Answered).errors;
  expect(last).toMatchObject({
    status,
    headers: { 'x-request-id': error?.extensions.requestId },
  });
  expect(lines(gateway).at(-1)).toEqual({
    requestId: error?.extensions.requestId,
    status,
    reason: error?.message,
  });
});

it.each<[string, number, string, TestGatewayOptions?]>([
  ['bytes that are not HTTP', 400, 'HELLO\r\n\r\n'],
  ['a slow request', 408, 'GET /graphql HTTP/1.1\r\nhost', { requestTimeoutMs: 100 }],
  ['long headers', 431, toRequest('GET /', [`x-long: ${'x'.repeat(20_000)}`])],
])('logs the status of %s', async (_, status, bytes, options) => {
  const gateway = await startTestGateway(options);

  await exchange(gateway.url, bytes);

  expect(lines(gateway)).toMatchObject([{ status, reason: expect.stringMatching(`^${status} `) }]);
});
