import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { exchange, refusal } from '../support/raw-http.js';
import { addHostCheck } from '../../src/features/hosts/hosts.hook.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';

/** Settings with which callers need not authenticate. */
const open: TestGatewayOptions = { authMode: 'service', studyApiToken: 'service-token' };
const create = JSON.stringify({ query: 'mutation { createStudy(input: {}) { status } }' });
const message = 'The gateway does not answer to this Host: add its name to ALLOWED_HOSTS.';

/** Returns a request as a page can send it to its own origin, for example after DNS rebinding to the gateway. */
function toBytes(
  requestLine: string,
  hosts: readonly string[],
  body = '',
  more: readonly string[] = [],
): string {
  const headers = [
    ...hosts.map((host) => `host: ${host}`),
    ...more,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ];
  return [requestLine, ...headers, '', body].join('\r\n');
}

const post = (host: string, target = '/graphql') =>
  toBytes(`POST ${target} HTTP/1.1`, [host], create, [`origin: http://${host}`]);

describe('when callers need not authenticate', () => {
  it.each([
    ['a name', post('evil.example')],
    ['a name with our port', post('evil.example:4000')],
    ['upper case', post('EVIL.EXAMPLE')],
    ['a trailing dot', post('evil.example.')],
    ['a name that begins like ours', post('localhost.evil.example')],
    ['a name that ends like ours', post('evillocalhost')],
    ['an address in a name', post('127.0.0.1.evil.example')],
    ['no host in HTTP/1.0', toBytes('POST /graphql HTTP/1.0', [], create)],
    ['a name in HTTP/1.0', toBytes('POST /graphql HTTP/1.0', ['evil.example'], create)],
    ['a name in the target', post('localhost', 'http://evil.example/graphql')],
    ['a name beside our own in the target', post('evil.example', 'http://localhost/graphql')],
    ['a target with a user', post('localhost', 'http://localhost@evil.example/graphql')],
  ])('refuses to write for another host: %s', async (_, bytes) => {
    const { url, calls } = await startTestGateway(open);

    const answers = await exchange(url, bytes);

    expect(answers).toEqual([{ status: 421, headers: expect.anything(), body: refusal(message) }]);
    expect(calls).toEqual([]);
  });

  it.each([
    ['a user', ['localhost@evil.example']],
    ['a user like ours', ['evil@localhost']],
    ['a path like ours', ['evil.example/.localhost']],
    ['a name in brackets', ['[evil.example]']],
    ['two ports', ['localhost:4000:4000']],
    ['an empty host', ['']],
    ['another host before ours', ['evil.example', 'localhost']],
    ['another host after ours', ['localhost', 'evil.example']],
  ])('refuses to write for a host that is not well-formed: %s', async (_, hosts) => {
    const { url, calls } = await startTestGateway(open);

    const answers = await exchange(url, toBytes('POST /graphql HTTP/1.1', hosts, create));

    expect(answers).toEqual([{ status: 400, headers: expect.anything(), body: refusal() }]);
    expect(calls).toEqual([]);
  });

  // A gateway cannot listen on `::1` on every machine, so a server on 127.0.0.1 has the host check.
  it.each(['a~b.evil.example', '', 'evil@[::1]'])(
    'refuses the malformed host "%s" even if HOST is an IPv6 address',
    async (host) => {
      const app = Fastify();
      onTestFinished(() => app.close());
      await addHostCheck({ isOpen: true }, { host: '::1', allowedHosts: [] })?.(app);
      app.get('/graphql', () => ({}));
      const url = await app.listen({ host: '127.0.0.1', port: 0 });
      const ask = (name: string) => exchange(url, toBytes('GET /graphql HTTP/1.1', [name]));

      expect(await ask(host)).toMatchObject([{ status: 421 }]);
      expect(await ask('[::1]:4000')).toMatchObject([{ status: 200 }]);
    },
  );

  it.each([
    '127.0.0.1',
    '127.0.0.1:4000',
    '192.0.2.7:80',
    '[::1]',
    '[::1]:4000',
    '[2001:DB8::1]:4000',
    'localhost',
    'LocalHost:4000',
    'localhost.',
    'studies.localhost:4000',
    'Studies.Example',
    'studies.example.:8443',
    'other.example',
  ])('serves %s', async (host) => {
    const { url, calls } = await startTestGateway({
      ...open,
      allowedHosts: readConfig({ ALLOWED_HOSTS: 'STUDIES.example:4000, other.example.' }).http
        .allowedHosts,
    });

    const answers = await exchange(url, post(host));

    expect(answers).toMatchObject([{ status: 200, body: { data: { createStudy: {} } } }]);
    expect(calls).toHaveLength(1);
  });

  it('serves a request target in absolute form', async () => {
    const { url } = await startTestGateway(open);

    const answers = await exchange(url, post('localhost', 'http://127.0.0.1:4000/graphql'));

    expect(answers).toMatchObject([{ status: 200 }]);
  });

  it.each([
    'GET /graphql?query={__typename}',
    'GET /graphql',
    'OPTIONS /graphql',
    'GET /explorer',
    'GET /explorer/settings.json',
    'GET /schema.graphql',
    'GET /health/live',
    'GET /health/ready',
    'GET /elsewhere',
  ])('refuses another host at every path: %s', async (requestLine) => {
    const { url } = await startTestGateway(open);
    const preflight = ['origin: http://localhost', 'access-control-request-method: POST'];

    const answers = await exchange(
      url,
      toBytes(`${requestLine} HTTP/1.1`, ['evil.example'], '', preflight),
    );

    expect(answers).toMatchObject([{ status: 421, body: refusal(message) }]);
  });

  it('refuses another host at /metrics too', async () => {
    const { metricsUrl = '' } = await startTestGateway({ ...open, metricsPort: 0 });
    const ask = async (host: string): Promise<unknown> => {
      const [{ statusCode }] = (await once(
        request(metricsUrl, { headers: { host } }).end(),
        'response',
      )) as [IncomingMessage];
      return statusCode;
    };

    expect([await ask('evil.example'), await ask('localhost')]).toEqual([421, 200]);
  });
});

it.each<[string, TestGatewayOptions]>([
  ['forward', {}],
  [
    'service with keys',
    { ...open, apiKeys: [{ name: 'ci', sha256: '0'.repeat(64), mayWrite: true }] },
  ],
])('checks no host when callers must authenticate: %s', async (_, options) => {
  const { url } = await startTestGateway(options);

  const answers = await exchange(url, post('gateway.example'));

  expect(answers).toMatchObject([{ status: 200 }]);
});
