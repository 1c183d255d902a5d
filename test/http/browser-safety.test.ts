import { describe, expect, it } from 'vitest';
import { exchange, refusal, toPost, toRequest } from '../support/raw-http.js';
import { startTestGateway } from '../support/gateway.js';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const mutation = 'mutation { createStudy(input: {}) { id } }';

interface Init extends RequestInit {
  readonly headers?: Record<string, string>;
}

describe('a page of another site, by requests that need no preflight,', () => {
  const body = JSON.stringify({ query: mutation });
  it.each<[string, Init, number]>([
    ['text/plain', { method: 'POST', headers: { 'content-type': 'text/plain' }, body }, 415],
    [
      'text/plain that says JSON',
      { method: 'POST', headers: { 'content-type': 'text/plain; application/json' }, body },
      415,
    ],
    ['a form of parts', { method: 'POST', body: toForm(mutation) }, 415],
    ['a body of no type', { method: 'POST', body: new Blob([body]) }, 415],
    ['no body', { method: 'POST' }, 400],
  ])('cannot post %s', async (_, init, status) => {
    const { send, calls } = await startTestGateway();

    const response = await send({
      ...init,
      headers: {
        ...init.headers,
        authorization: 'Bearer test-token',
        origin: 'https://evil.example',
      },
    });

    const requestId = response.headers.get('x-request-id');
    expect({ status: response.status, body: await response.json() }).toEqual({
      status,
      body: refusal(expect.any(String), requestId),
    });
    expect(response.headers.get('content-type')).toMatch(/^application\/json;/);
    expect(calls).toEqual([]);
  });

  it.each([
    ['{ studies { total } }', 401],
    [mutation, 405],
  ])('cannot get %s', async (query, status) => {
    const { url, calls } = await startTestGateway();

    // A browser adds the credentials of the last two schemes to forged requests by itself.
    for (const authorization of ['', 'Basic dXNlcjpzZWNyZXQ=', 'Negotiate YIIB']) {
      const response = await fetch(`${url}/graphql?query=${encodeURIComponent(query)}`, {
        headers: { authorization },
      });

      expect(response.status).toBe(status);
    }
    expect(calls).toEqual([]);
  });
});

function toForm(query: string): FormData {
  const form = new FormData();
  form.set('operations', JSON.stringify({ query }));
  return form;
}

it('refuses a GET mutation with 405 and Allow: POST', async () => {
  const { url, calls } = await startTestGateway();

  const response = await fetch(`${url}/graphql?query=${encodeURIComponent(mutation)}`, {
    headers: { authorization: 'Bearer test-token' },
  });

  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  const requestId = response.headers.get('x-request-id');
  expect(await response.json()).toEqual(refusal(expect.any(String), requestId));
  expect(calls).toEqual([]);
});

describe('every answer', () => {
  const unknownHash = '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"a"}}}';
  const close = 'connection: close';
  it.each([
    ['a result', toPost('{"query":"{__typename}"}', [close]), 200],
    ['an error', toPost('{"query":"{"}', [close]), 400],
    ['no token', toPost(JSON.stringify({ query: mutation }), [close]), 401],
    // Apollo has headers of its own for this one.
    ['a hash that is not known', toPost(unknownHash, [close]), 200],
    ['another method', toRequest('DELETE /graphql', [close]), 404],
    ['HEAD', toRequest('HEAD /health/live', [close]), 200],
    [
      'a preflight',
      toRequest('OPTIONS /graphql', [
        close,
        'origin: http://localhost',
        'access-control-request-method: POST',
      ]),
      204,
    ],
    ['health', toRequest('GET /health/live', [close]), 200],
    ['a path that cannot be decoded', toRequest('GET /%zz', [close]), 400],
    ['an error for a browser', toRequest('GET /graphql/', [close, 'accept: text/html']), 404],
  ])('may not be cached or sniffed: %s', async (_, bytes, status) => {
    const { url } = await startTestGateway();

    const [answer] = await exchange(url, bytes);

    expect(answer?.status).toBe(status);
    expect(answer?.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer?.headers).not.toHaveProperty('server');
    expect(answer?.headers).not.toHaveProperty('x-powered-by');
  });
});

describe("Sandbox's page", () => {
  it('has a Content-Security-Policy with nonces in addition to its own policy', async () => {
    const { send } = await startTestGateway();

    const response = await send({ headers: html });
    const page = await response.text();
    const own = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    const nonce = /script-src 'self' 'nonce-(\w+)'/.exec(own)?.[1] ?? 'none';

    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringMatching(/^text\/html/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "object-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    const inline = [...page.matchAll(/<(?:script|style)([^>]*)>/g)].map(
      ([, attributes]) => attributes,
    );
    expect(inline.length).toBeGreaterThan(2);
    expect(inline.filter((attributes) => !attributes?.includes(nonce))).toEqual([]);
    expect(own).not.toMatch(/unsafe-(inline|eval)/);
  });
});
