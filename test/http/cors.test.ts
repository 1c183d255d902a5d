import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';

interface Init extends RequestInit {
  readonly headers?: Record<string, string>;
}

const json = { 'content-type': 'application/json' };
const production = { isProduction: true, sandbox: false, introspection: false };
const app = 'https://app.example.com';
const previews = 'https://*.preview.example.com';
const sandbox = 'https://studio.apollographql.com';

/** Returns the CORS headers of a response. */
function readCors({ headers }: Response): object {
  const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

const exposed = {
  'access-control-expose-headers': 'x-request-id, retry-after, www-authenticate',
};
const readable = (origin: string): object => ({
  'access-control-allow-origin': origin,
  ...exposed,
});

describe('CORS', () => {
  const origins: readonly [string, string | undefined, object, boolean][] = [
    ['a listed origin', app, { corsOrigins: ['https://a.example', app] }, true],
    ['a listed origin in production', app, { ...production, corsOrigins: [app] }, true],
    [
      'an unlisted origin in production',
      'https://evil.example',
      { ...production, corsOrigins: [app] },
      false,
    ],
    ['no origin', undefined, { corsOrigins: [app] }, false],
    ['a subdomain', 'https://x.app.example.com', { corsOrigins: [app] }, false],
    ['a longer domain', 'https://app.example.com.evil.example', { corsOrigins: [app] }, false],
    ['a preview', 'https://pr-7.preview.example.com', { corsOrigins: [previews] }, true],
    [
      'more after a preview',
      'https://x.preview.example.com.evil.example',
      { corsOrigins: [previews] },
      false,
    ],
    ['the domain of previews', 'https://preview.example.com', { corsOrigins: [previews] }, false],
    ['below a preview', 'https://a.b.preview.example.com', { corsOrigins: [previews] }, false],
    [
      'another character for a dot',
      'https://x.previewxexample.com',
      { corsOrigins: [previews] },
      false,
    ],
    [
      'a pattern that is no regular expression',
      'https://x.example.comm',
      { corsOrigins: ['https://*.example.com+'] },
      false,
    ],
    ['Sandbox', sandbox, {}, true],
    ['Sandbox in production', sandbox, { ...production, corsOrigins: [app] }, false],
    ['localhost', 'http://localhost:5173', {}, true],
    ['a domain that ends like localhost', 'http://evil-localhost', {}, false],
  ];
  it.each(origins)(
    'lets only allowed origins read responses: %s',
    async (_, origin, options, isAllowed) => {
      const { send } = await startTestGateway(options);
      const from = origin === undefined ? {} : { origin };
      const preflight = { ...from, 'access-control-request-method': 'POST' };

      const query = await send({
        method: 'POST',
        headers: { ...json, ...from },
        body: '{"query":"{__typename}"}',
      });
      const asked = await send({ method: 'OPTIONS', headers: preflight });

      expect(query.headers.get('access-control-allow-origin')).toBe(isAllowed ? origin : null);
      expect(asked.headers.get('access-control-allow-origin')).toBe(isAllowed ? origin : null);
      // Credentials are not allowed: pages send tokens in a header, and the gateway uses no cookies.
      expect(asked.headers.has('access-control-allow-credentials')).toBe(false);
    },
  );

  it('sends Vary: Origin only if responses depend on the origin', async () => {
    const listed = await startTestGateway({ corsOrigins: [app] });
    const closed = await startTestGateway(production);

    expect((await listed.send({})).headers.get('vary')).toBe('Origin');
    expect(readCors(await closed.send({ headers: { origin: app } }))).toEqual({});
  });

  it('answers a preflight with the allowed methods, the allowed headers and a max age', async () => {
    const { send } = await startTestGateway({ corsOrigins: [app] });

    const response = await send({
      method: 'OPTIONS',
      headers: {
        origin: app,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-other',
      },
    });

    expect([response.status, await response.text(), readCors(response)]).toEqual([
      204,
      '',
      {
        ...readable(app),
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers':
          'authorization, content-type, apollo-require-preflight, apollographql-client-name, apollographql-client-version, x-apollo-operation-name, x-study-explain',
        'access-control-max-age': '600',
      },
    ]);
  });

  it.each<[string, string, Init, number]>([
    ['no JSON', '/graphql', { method: 'POST', headers: json, body: '{' }, 400],
    ['another path', '/studies', {}, 404],
    ['a body of another type', '/graphql', { method: 'POST', body: 'a' }, 415],
  ])('lets a listed origin read refusals too: %s', async (_, path, init, status) => {
    const { url } = await startTestGateway({ corsOrigins: [app] });

    const response = await fetch(url + path, {
      ...init,
      headers: { ...init.headers, origin: app },
    });

    expect([response.status, readCors(response)]).toEqual([status, readable(app)]);
    expect(await response.json()).toHaveProperty('errors');
  });
});
