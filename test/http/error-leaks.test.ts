import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { startGateway } from '../../src/gateway.js';
import { answerBytes, cut, stayAlive, toHead } from '../support/faults.js';
import { studyId } from '../support/inputs.js';
import { connectTo, json, readToEnd, toPost, toRequest } from '../support/raw-http.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, startStudyApi } from '../support/study-api.js';

const secret = 'at Hidden.handler (/srv/hidden/node_modules/db.js:1:1) postgres://db.internal';
const page = { 'content-type': 'text/html' };
const create = JSON.stringify({
  query: `mutation { createStudy(input: {}) { id files audiences } }`,
});
const read = JSON.stringify({ query: `{ study(id: "${studyId}") { id } }` });

/** Patterns that no response may match: paths, stack traces, internal addresses, text of the Study API. */
const leaks = [
  /(\/[\w.@-]+){2,}/,
  /node_modules|\.[jt]s\b/,
  /\bat [\w.]+ \(|\n\s*at /,
  /127\.0\.0\.1|localhost|ECONN|ENOTFOUND|EPIPE|UND_ERR/,
  /hidden|postgres|undici|fastify/i,
];

const faults: readonly [string, TestGatewayOptions][] = [
  ['a 401 with a header', { api: answerBytes(secret, { 'www-authenticate': secret }, 401) }],
  ['a 500 with a stack', { api: answerJson({ stack: secret }, 500) }],
  ['a redirect', { api: answerBytes('', { location: 'http://db.internal/secret/path' }, 307) }],
  ['a page', { api: answerBytes(secret, page) }],
  [
    'a study with strange fields',
    { api: answerJson({ id: secret, files: secret, [secret]: secret }) },
  ],
  ['no HTTP', { api: cut(`${secret}\r\n\r\n`, 'FIN') }],
  ['a reason phrase', { api: cut(toHead(`500 ${secret}`, ['content-length: 0']), 'FIN') }],
  ['half an answer', { api: cut(toHead('200 OK', ['content-length: 999'], secret), 'RST') }],
  ['silence', { api: stayAlive, deadlineMs: 50 }],
  ['nobody', { studyApiUrl: 'http://hidden.invalid' }],
];

const requests: readonly [string, string][] = [
  ['another path', toRequest('GET /etc/passwd', ['connection: close'])],
  ['a path that cannot be decoded', toRequest('GET /%zz', ['connection: close'])],
  ['no JSON', toPost('{', ['connection: close'])],
  ['no GraphQL', toPost('{"query":"{"}', ['connection: close'])],
  ['no token', toPost(read, ['connection: close'])],
  ['a body that is too long', toRequest('POST /graphql', [json, 'content-length: 9999999'])],
  [
    'a body of another type',
    toRequest('POST /graphql', ['content-type: text/xml', 'content-length: 9']),
  ],
  [
    'variables that are no JSON',
    toRequest('GET /graphql?query={__typename}&variables={', [json, 'connection: close']),
  ],
];

async function readBody(url: string, bytes: string): Promise<string> {
  const socket = await connectTo(url);
  socket.write(bytes);
  const received = await readToEnd(socket);
  return received.slice(received.indexOf('\r\n\r\n') + 4);
}

describe('an error leaks no internals', () => {
  it.each(faults)('when the Study API answers with %s', async (_, options) => {
    const gateway = await startTestGateway(options);
    const token = 'authorization: Bearer test-token';

    for (const body of [create, read]) {
      const answer = await readBody(gateway.url, toPost(body, [token, 'connection: close']));

      for (const leak of leaks) expect(answer).not.toMatch(leak);
      expect(JSON.parse(answer)).toHaveProperty('data');
    }
  });

  it('when the Study API refuses connections', async () => {
    const api = await startStudyApi(stayAlive);
    const { port } = new URL(api.url);
    const gateway = await startTestGateway({
      studyApiUrl: api.url,
      deadlineMs: 50,
    });

    const answer = await readBody(
      gateway.url,
      toPost(create, ['authorization: Bearer test-token', 'connection: close']),
    );

    expect(answer).not.toContain(port);
  });

  it('when the gateway has a defect', async () => {
    // Simulates a defect: the log throws in the middle of a call.
    const write = (line: string): void => {
      if (line.includes('differs from its contract')) throw new Error(secret);
    };
    const api = await startStudyApi(answerJson({ id: wholeStudy.id, language: 7 }));
    const config = readConfig({});
    const gateway = await startGateway({
      ...config,
      http: { ...config.http, port: 0 },
      rest: { ...config.rest, baseUrl: new URL(api.url) },
      logger: pino({ level: 'warn' }, { write }),
    });
    onTestFinished(() => gateway.close());

    const answer = await readBody(
      gateway.url,
      toPost(create, ['authorization: Bearer test-token', 'connection: close']),
    );

    for (const leak of leaks) expect(answer).not.toMatch(leak);
    expect(JSON.parse(answer)).toMatchObject({
      data: { createStudy: null },
      errors: [
        {
          message: 'Internal server error',
          extensions: { code: 'INTERNAL_SERVER_ERROR', outcome: 'APPLIED', retryable: false },
        },
      ],
    });
  });

  it.each(requests)('when the client sends %s', async (_, bytes) => {
    const gateway = await startTestGateway();

    const answer = await readBody(gateway.url, bytes);

    for (const leak of leaks) expect(answer).not.toMatch(leak);
    expect(JSON.parse(answer)).toHaveProperty('errors');
  });
});
