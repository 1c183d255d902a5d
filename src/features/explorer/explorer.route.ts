import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppPart } from '../../http/app.js';
import { toSearch } from '../../http/http-operation.js';
import { loadExplorer, type Explorer } from './explorer.files.js';

export interface ExplorerOptions {
  readonly explorer: boolean;
  /** Token of the emulator to prefill as the bearer. Default: a placeholder. */
  readonly demoToken?: string | undefined;
}

/**
 * Allows only files and requests of the gateway's own origin, and images and fonts as `data:` URLs. Inline styles are
 * allowed because the Monaco editor inserts styles without a nonce; inline scripts are not.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

const decompress = promisify(gunzip);

/** Relative URL of the explorer, so that a proxy may serve the gateway under a path. */
const explorerAddress = 'explorer';

const introduction =
  'This is study-gateway, a GraphQL server in front of the Study API: send operations to /graphql by POST.\n';

/**
 * Adds `GET /`, and `/explorer` if the explorer is on. `GET /` redirects browsers to the explorer if it is on;
 * otherwise it answers with one line about the gateway.
 */
export function addExplorer(options: ExplorerOptions): AppPart {
  const { explorer } = options;
  return (app) => {
    app.get('/', (request, reply) => {
      void reply.header('vary', 'accept');
      if (explorer && request.headers.accept?.includes('text/html'))
        return reply.redirect(explorerAddress, 302);
      return reply.type('text/plain; charset=utf-8').send(introduction);
    });
    if (explorer) addPage(app, options);
  };
}

/**
 * Adds `/explorer`: GraphiQL from the files of its npm package, so that the page needs no internet access. Compressed
 * files are kept in memory by name; a request's path is never used as a path on the disk.
 */
function addPage(app: FastifyInstance, { demoToken }: ExplorerOptions): void {
  let loaded: Promise<Explorer> | undefined;

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name?: string,
  ): Promise<FastifyReply> => {
    // Loads the files at the first request, because they take megabytes of memory.
    loaded ??= loadExplorer(demoToken);
    const { page, files } = await loaded;
    const file = name === undefined ? page : files.get(name);
    if (file === undefined) {
      reply.callNotFound();
      return reply;
    }
    // Weak, because the compressed and the uncompressed response have the same ETag.
    const etag = `W/"${file.hash}"`;
    const isForGood = toSearch(request) === `?v=${file.hash}`;
    void reply.headers({
      'content-security-policy': contentSecurityPolicy,
      'cache-control': isForGood ? 'max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      etag,
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    void reply.type(file.contentType);
    if (!takesGzip(request.headers['accept-encoding']))
      return reply.send(await decompress(file.gzipped));
    return reply.header('content-encoding', 'gzip').send(file.gzipped);
  };

  app.get('/explorer', (request, reply) => answer(request, reply));
  app.get<{ Params: { name: string } }>('/explorer/:name', (request, reply) =>
    answer(request, reply, request.params.name),
  );
}

/** Returns true if an `Accept-Encoding` header allows gzip. */
function takesGzip(accepted = ''): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);
}
