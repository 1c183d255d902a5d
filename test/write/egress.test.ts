// @module-tag openssl

import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { print } from 'graphql';
import { expect, it, vi } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import { readConfig } from '../../src/config/config.js';
import { startRefusingUrl } from '../support/faults.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { audience, issuer, startIssuer } from '../support/issuer.js';
import { toPostInit } from '../support/post.js';
import { startReadyProgram } from '../support/process.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';
import { startForwardProxy, startTlsServer } from './egress.fixture.js';

vi.setConfig({ testTimeout: 20_000 });

const created = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };
const failed = (code: string, outcome: string, retryable: boolean) => ({
  data: { createStudy: null },
  errors: [
    expect.objectContaining({ extensions: expect.objectContaining({ code, outcome, retryable }) }),
  ],
});

const answerWhole: RequestListener = (_, response) =>
  void response
    .writeHead(201, { 'content-type': 'application/json' })
    .end(JSON.stringify(wholeStudy));

async function create(url: string, token: string): Promise<unknown> {
  const body = { query: print(CreateStudyDocument), variables: { input: {} } };
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/graphql`, toPostInit(body, headers))).json();
}

/** Starts a gateway that reaches its Study API only through a proxy. */
async function startBehindProxy(
  respond: Respond,
  answer?: (socket: Socket) => void,
  options: TestGatewayOptions = {},
  maxBytes?: number,
) {
  const api = await startStudyApi(respond);
  const proxy = await startForwardProxy(api.url, answer, maxBytes);
  const gateway = await startTestGateway({
    studyApiUrl: 'http://study-api.example/api/v1',
    proxies: { httpProxy: proxy.url, httpsProxy: '', noProxy: '' },
    ...options,
  });
  return { api, proxy, gateway };
}

it('calls the Study API and the issuer through HTTPS_PROXY, with the private CA of NODE_EXTRA_CA_CERTS', async () => {
  const keys = await startIssuer();
  const server = await startTlsServer((request, response) =>
    request.url === '/keys' ? response.end(keys.keySet()) : answerWhole(request, response),
  );
  const proxy = await startForwardProxy(server.url);
  const env = {
    AUTH_MODE: 'service',
    STUDY_API_URL: 'https://study-api.example/api/v1',
    STUDY_API_TOKEN: 'service-token',
    JWT_JWKS_URL: 'https://issuer.example/keys',
    JWT_ISSUER: issuer,
    JWT_AUDIENCE: audience,
    HTTPS_PROXY: proxy.url,
  };
  const trusting = await startReadyProgram({ env: { ...env, NODE_EXTRA_CA_CERTS: server.ca } });
  const strange = await startReadyProgram({ env });
  const token = await keys.sign();

  expect(await create(trusting.url, token)).toEqual(created);
  expect(new Set(proxy.asked)).toEqual(new Set(['issuer.example:443', 'study-api.example:443']));
  // Without the keys of the issuer the token cannot be checked, so the whole request is refused.
  const { errors } = failed('UPSTREAM_UNAVAILABLE', 'NOT_SENT', true);
  expect(await create(strange.url, token)).toEqual({ errors });
});

it.each<[string, (socket: Socket) => void, string]>([
  ['forbids the tunnel', (socket) => socket.end('HTTP/1.1 403 No\r\n\r\n'), 'UPSTREAM_UNAVAILABLE'],
  ['closes the connection', (socket) => socket.destroy(), 'UPSTREAM_UNAVAILABLE'],
  ['is silent', () => {}, 'UPSTREAM_TIMEOUT'],
])('sends nothing when the proxy %s', async (_, answer, code) => {
  const deadlineMs = code === 'UPSTREAM_TIMEOUT' ? 300 : 10_000;
  const { api, gateway } = await startBehindProxy(answerJson(wholeStudy), answer, {
    deadlineMs,
    connectTimeoutMs: 500,
  });

  expect(await gateway.graphql(CreateStudyDocument, { input: {} })).toEqual(
    failed(code, 'NOT_SENT', true),
  );
  expect(api.calls).toEqual([]);
});

it.each([1, 200, 100_000])(
  'says UNKNOWN, and sends nothing again, when the tunnel is cut after %i bytes of the request',
  async (maxBytes) => {
    const cut: Respond = (response) => void response.destroy();
    const { api, gateway, proxy } = await startBehindProxy(cut, undefined, {}, maxBytes);
    const input = { description: 'x'.repeat(50_000) };

    const { errors } = await gateway.graphql(CreateStudyDocument, { input });

    expect(errors?.[0]?.extensions?.['outcome']).toBe('UNKNOWN');
    expect(api.calls).toHaveLength(maxBytes === 100_000 ? 1 : 0);
    expect(proxy.asked).toHaveLength(1);
  },
);

it('makes no tunnel to the hosts of NO_PROXY', async () => {
  const api = await startStudyApi(answerJson(wholeStudy));
  const proxies = { httpProxy: await startRefusingUrl(), httpsProxy: '', noProxy: '127.0.0.1' };
  const gateway = await startTestGateway({ studyApiUrl: api.url, proxies });

  expect(await gateway.graphql(CreateStudyDocument, { input: {} })).toEqual(created);
});

it('reads the variables of proxies in either case, and never uses a proxy for this machine', () => {
  const proxy = 'http://user:secret@proxy.example:3128';
  const local = 'localhost,127.0.0.1,::1';

  expect(readConfig({}).proxies).toBeUndefined();
  expect(
    readConfig({ https_proxy: proxy, HTTPS_PROXY: 'x:', NO_PROXY: '.example' }).proxies,
  ).toEqual({
    httpProxy: '',
    httpsProxy: proxy,
    noProxy: `.example,${local}`,
  });
});
