import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { parse } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { startTestGateway } from '../support/gateway.js';

const built = readdirSync('dist/explorer').map((name) => parse(name).name);
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Returns the path of the file that was built with this name, which has its hash before its extension. */
function toPath(name: string): string {
  const { name: stem, ext } = parse(name);
  const found = built.find((file) => file.startsWith(`${stem}.`) && file.endsWith(ext));
  return `/explorer/${found}`;
}

const files = [
  ['/explorer', 'text/html; charset=utf-8', 'no-cache'],
  ...[
    'icon.svg',
    'start.js',
    'style.css',
    'graphiql.css',
    'graphiql.js',
    'editorWorkerService.js',
    'graphql.js',
    'json.js',
  ].map((name) => [toPath(name), types[parse(name).ext], 'max-age=31536000, immutable'] as const),
] as const;

const notFound = {
  status: 404,
  body: {
    errors: [
      {
        message: expect.any(String),
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

describe('the files of the explorer', () => {
  it.for(files)('are served under a strict policy: %s', async ([path, type, cacheControl]) => {
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
      'referrer-policy': 'no-referrer',
      'content-encoding': 'gzip',
      'cache-control': cacheControl,
    });
  });

  it('have addresses with the hash of their text', async () => {
    const { url } = await startTestGateway();
    const page = await (await fetch(`${url}/explorer`)).text();
    const addresses = Array.from(page.matchAll(/="(explorer\/[^"]+)"/g), ([, path]) => `/${path}`);
    const paths = files.slice(1).map(([path]) => path);
    expect([...new Set(addresses)].toSorted()).toEqual(paths.toSorted());

    for (const path of paths) {
      const text = await (await fetch(`${url}${path}`)).text();
      const hash = createHash('sha256').update(text).digest('hex');
      expect(path).toContain(`.${hash.slice(0, 16)}.`);
    }
  });

  it.for([
    '/explorer/',
    '/explorer/index.html',
    '/explorer/..%2f..%2f..%2fetc%2fpasswd',
    '/explorer/..%5cpackage.json',
    '/explorer/start.js',
    `${toPath('start.js')}.gz`,
    '/explorer/__proto__',
  ])('are the only ones: %s is not there', async (path) => {
    const { url } = await startTestGateway();

    expect(await getRaw(url, path)).toEqual(notFound);
  });
});

describe('the tabs of the explorer', () => {
  it('have no token and no scenarios in front of a Study API that is no emulator', async () => {
    const { url } = await startTestGateway({ demoToken: undefined });

    const response = await fetch(`${url}/explorer/settings.json`);
    const settings = (await response.json()) as { examples: unknown[] };

    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(settings.examples).toHaveLength(4);
    expect(JSON.stringify(settings)).not.toMatch(/demo-|authorization/);
  });
});

describe('the explorer in production', () => {
  const production = { NODE_ENV: 'production', STUDY_API_URL: 'https://api.example.com' };

  it('is off: none of its files is there', async () => {
    const { explorer } = readConfig(production).graphql;
    const { url } = await startTestGateway({ explorer });

    for (const path of [...files.map(([path]) => path), '/explorer/settings.json'])
      expect(await getRaw(url, path)).toEqual(notFound);
  });

  it('is there when it is configured', async () => {
    const { explorer } = readConfig({ ...production, EXPLORER: 'true' }).graphql;
    const { url } = await startTestGateway({ explorer });

    expect((await fetch(`${url}/explorer`)).status).toBe(200);
  });
});
