import { glob, readFile } from 'node:fs/promises';
import { extname, parse } from 'node:path';
import type { Contract } from 'study-gateway-contract';
import type { AppPart } from '../../http/app.js';
import { toPageHeaders } from '../../http/browsers.js';
import { toSettings } from './settings.js';

/**
 * Allows only files and requests of the gateway's own origin, and images and fonts as `data:` URLs. Inline styles are
 * allowed because the Monaco editor inserts styles without a nonce; inline scripts are not.
 */
const pageHeaders = toPageHeaders(
  "default-src 'none';script-src 'self';worker-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;font-src data:;connect-src 'self'",
);

/** Folder that `codegen/explorer/build.ts` fills: the same one as seen from `src/` and from `dist/`. */
const root = new URL('../../../dist/explorer/', import.meta.url);

/** Media types of the explorer's files, by extension. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Adds `/explorer`: GraphiQL from gzipped files of the build, so that the page needs no internet access.
 *
 * @param demoToken token of the emulator to prefill as the bearer; if `undefined`, a placeholder
 * @returns `undefined` if the explorer is off
 */
export function addExplorer(
  explorer: boolean,
  contract: Contract,
  demoToken: string | undefined,
): AppPart | undefined {
  if (!explorer) return undefined;
  return async (app) => {
    // Relative, so that a proxy may serve the gateway under a path.
    app.get('/', (_, reply) => reply.redirect('explorer', 302));
    app.get('/explorer/settings.json', () => toSettings(contract, demoToken));
    // A route for each file: no path of a request is looked up on the disk.
    for await (const file of glob('*.gz', { cwd: root })) {
      const { name } = parse(file);
      const isPage = name === 'page.html';
      const headers = {
        ...pageHeaders,
        'content-type': types[extname(name)],
        'content-encoding': 'gzip',
        // A file's name has the hash of its text; the page's has not.
        'cache-control': isPage ? 'no-cache' : 'max-age=31536000, immutable',
      };
      // One buffer for all responses: readers that are slow need no memory of their own.
      const content = await readFile(new URL(file, root));
      app.get(isPage ? '/explorer' : `/explorer/${name}`, (_, reply) =>
        reply.headers(headers).send(content),
      );
    }
  };
}
