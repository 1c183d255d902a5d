import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { startTestGateway } from '../support/gateway.js';

const files = {
  '/explorer': 'text/html; charset=utf-8',
  '/explorer/icon.svg': 'image/svg+xml; charset=utf-8',
  '/explorer/start.js': 'text/javascript; charset=utf-8',
  '/explorer/style.css': 'text/css; charset=utf-8',
  '/explorer/graphiql.css': 'text/css; charset=utf-8',
  '/explorer/graphiql.js': 'text/javascript; charset=utf-8',
  '/explorer/editorWorkerService.js': 'text/javascript; charset=utf-8',
  '/explorer/graphql.js': 'text/javascript; charset=utf-8',
  '/explorer/json.js': 'text/javascript; charset=utf-8',
};

const notFound = {
  status: 404,
  body: {
    errors: [
      {
        message: 'There is nothing here. GraphQL is served at /graphql.',
        extensions: {
          code: 'NOT_FOUND',
          outcome: 'NOT_SENT',
          retryable: false,
          requestId: expect.any(String),
        },
      },
    ],
  },
};

/** Requests a path as it stands: fetch would resolve its dots. */
async function getRaw(url: string, path: string): Promise<{ status?: number; body: unknown }> {
  const [response] = (await once(get(url, { path, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  const { statusCode: status = 0 } = response;
  return { status, body: JSON.parse(await text(response)) };
}

/** Requests a path, and returns the body as it came over the wire. */
async function getBytes(url: string, path: string, acceptEncoding: string) {
  const options = { path, agent: false, headers: { 'accept-encoding': acceptEncoding } };
  const [response] = (await once(get(url, options), 'response')) as [IncomingMessage];
  return { headers: response.headers, body: await buffer(response) };
}

describe('the files of the explorer', () => {
  it.for(Object.entries(files))('are served under a strict policy: %s', async ([path, type]) => {
    const { url } = await startTestGateway();

    const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });

    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(100);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-security-policy':
        "default-src 'none';script-src 'self';worker-src 'self';style-src 'self' 'unsafe-inline';" +
        "img-src 'self' data:;font-src data:;connect-src 'self';base-uri 'none';form-action 'none';" +
        "frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
  });

  it('are kept for good by a browser, under the addresses that the page has', async () => {
    const { url } = await startTestGateway();
    const page = await (await fetch(`${url}/explorer`)).text();
    const addresses = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(5);

    for (const address of addresses) {
      const { status, headers } = await fetch(`${url}/${address}`);
      expect([status, headers.get('cache-control')]).toEqual([200, 'max-age=31536000, immutable']);
      const other = await fetch(`${url}/${address}x`);
      expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    }
  });

  it('have another address when they have changed', async () => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map(async (demoToken) => {
        const { url } = await startTestGateway({ demoToken });
        const page = await (await fetch(`${url}/explorer`)).text();
        return /explorer\/start\.js\?v=[\w-]+/.exec(page)?.[0];
      }),
    );

    expect(one).toMatch(/v=[\w-]{16}$/);
    expect(other).not.toBe(one);
  });

  it.for([
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1, GZIP;q=0.5', 'gzip'],
    ['br', undefined],
    ['gzip;q=0, br', undefined],
  ] as const)('are compressed for who accepts it: %s', async ([accepted, encoding]) => {
    const { url } = await startTestGateway();
    const graphiql = await import('@graphql-yoga/render-graphiql/graphiql');

    const { headers, body } = await getBytes(url, '/explorer/graphiql.js', accepted);

    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('accept-encoding');
    const text = encoding ? gunzipSync(body) : body;
    expect(text.equals(Buffer.from(graphiql.js))).toBe(true);
  });

  it('are a third of their size on the wire, all together', async () => {
    const { url } = await startTestGateway();
    let bytes = 0;
    let plainBytes = 0;
    for (const path of Object.keys(files)) {
      const { body } = await getBytes(url, path, 'gzip');
      bytes += body.length;
      plainBytes += gunzipSync(body).length;
    }

    expect(plainBytes).toBeGreaterThan(5_000_000);
    expect(bytes / plainBytes).toBeLessThan(0.33);
  });

  it('are sent again only when they have changed', async () => {
    const { url } = await startTestGateway();
    const { headers } = await fetch(`${url}/explorer/graphiql.css`);

    const again = await fetch(`${url}/explorer/graphiql.css`, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });

    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  it.for([
    '/explorer/',
    '/explorer/index.html',
    '/explorer/%2fexplorer',
    '/explorer/..',
    '/explorer/../package.json',
    '/explorer/%2e%2e%2fpackage.json',
    '/explorer/..%2f..%2f..%2fetc%2fpasswd',
    '/explorer/..%5cpackage.json',
    '/explorer//etc/passwd',
    '/explorer/graphiql.js/../../package.json',
    '/explorer/package.json',
    '/explorer/constructor',
    '/explorer/__proto__',
  ])('are the only ones: %s is not there', async (path) => {
    const { url } = await startTestGateway();

    expect(await getRaw(url, path)).toEqual(notFound);
  });

  it.for(['POST', 'PUT', 'DELETE'])('cannot be changed: %s is not there', async (method) => {
    const { url } = await startTestGateway();

    const response = await fetch(`${url}/explorer/start.js`, { method });

    expect({ status: response.status, body: await response.json() }).toEqual(notFound);
  });
});

describe('the tabs of the explorer', () => {
  it('show where the token goes in front of a Study API that is no emulator', async () => {
    const { url } = await startTestGateway({ demoToken: undefined });

    const script = await (await fetch(`${url}/explorer/start.js`)).text();

    expect(script).toContain('Bearer <API_TOKEN>');
    expect(script).not.toContain('demo-');
  });
});

describe('the explorer in production', () => {
  const production = { NODE_ENV: 'production', STUDY_API_URL: 'https://api.example.com' };

  it.for(Object.keys(files))('is off: %s is not there', async (path) => {
    const { explorer } = readConfig(production).graphql;
    const { url } = await startTestGateway({ explorer });

    expect(await getRaw(url, path)).toEqual(notFound);
  });

  it('is there when it is configured', async () => {
    const { explorer } = readConfig({ ...production, EXPLORER: 'true' }).graphql;
    const { url } = await startTestGateway({ explorer });

    expect((await fetch(`${url}/explorer`)).status).toBe(200);
  });
});
