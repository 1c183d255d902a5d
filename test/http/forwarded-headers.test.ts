import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { operations, run } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, startStudyApi } from '../support/study-api.js';

/** Headers of clients, browsers and proxies that the gateway must not forward to the Study API. */
const clientHeaders = {
  accept: 'application/graphql-response+json, application/json;q=0.9',
  'accept-encoding': 'gzip, br',
  'apollographql-client-name': 'client',
  cookie: 'session=client',
  forwarded: 'for=192.0.2.1;host=client.example',
  'idempotency-key': 'client',
  'if-none-match': '"client"',
  origin: 'http://client.example',
  'proxy-authorization': 'Basic Y2xpZW50',
  range: 'bytes=0-1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'user-agent': 'client/1.0',
  'x-api-key': 'client',
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-host': 'client.example',
  'x-http-method-override': 'DELETE',
  'x-request-id': 'client',
};

it.each(operations)(
  "sends its own headers with $field, and none of the client's",
  async (operation) => {
    const studyApi = await startStudyApi(answerJson(wholeStudy));
    const gateway = await startTestGateway({ studyApiUrl: studyApi.url });

    const answer = await run(gateway, operation, clientHeaders);

    expect(answer.body).toEqual({ data: { [operation.field]: wholeStudy } });
    expect(answer.requestId).not.toBe('client');
    const [call] = studyApi.calls;
    expect(call?.headers).toEqual({
      host: new URL(studyApi.url).host,
      connection: 'keep-alive',
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': `study-gateway/${manifest.version}`,
      'x-request-id': answer.requestId,
      ...(!operation.isRead && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(call?.body ?? '')),
      }),
    });
  },
);
