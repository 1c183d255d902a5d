import { expect, it, onTestFinished, vi } from 'vitest';
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
  ['bytes that are not HTTP', 400, 'HELLO\r\n\r\n'],
  ['a body that is not JSON', 400, toPost('{', [close])],
  ['a batch', 400, toPost('[{"query":"{ __typename }"}]', [close])],
  [
    'a document that is not trusted',
    400,
    toPost('{"query":"{ a }"}', [close]),
    { trustedDocuments: 'schema/trusted-documents.json' },
  ],
  ['a possible forgery', 400, toRequest('GET /graphql?query=%7B__typename%7D', [close])],
  ['a GET without an operation', 400, toRequest('GET /graphql', [json, close])],
  ['an unknown path', 404, toRequest('GET /nothing', [close])],
  ['a method without a meaning', 405, toRequest('PUT /graphql', [close])],
  ['a slow request', 408, 'GET /graphql HTTP/1.1\r\nhost', { requestTimeoutMs: 100 }],
  ['a long body', 413, toPost(' '.repeat(2_000)), { maxBodyBytes: 1_024 }],
  ['a body of another type', 415, toRequest('POST /graphql', form, '{}')],
  ['a caller over its limit', 429, toPost('{}', [close]), { rateLimitRequests: 1 }],
  ['long headers', 431, toRequest('GET /', [`x-long: ${'x'.repeat(20_000)}`])],
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

it('logs 20 refusals of a status in 10 s', async () => {
  const gateway = await startTestGateway();
  const ask = (path: string) => fetch(`${gateway.url}${path}`);

  for (let count = 0; count < 25; count++) await ask('/nothing');
  await ask('/graphql');

  expect(lines(gateway)).toHaveLength(21);
  expect(lines(gateway).at(-1)).toMatchObject({ status: 400 });
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
  onTestFinished(() => spy.mockRestore());
  await ask('/nothing');
  await ask('/nothing');

  expect(lines(gateway).slice(21)).toMatchObject([{ status: 404 }, { status: 404 }]);
});
