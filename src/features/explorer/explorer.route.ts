import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppPart } from '../../http/app.js';
import { toSearch } from '../../http/query-string.js';
import { loadExplorer, type Explorer } from './explorer.files.js';

export interface ExplorerOptions {
  readonly explorer: boolean;
  readonly demoToken?: string | undefined;
}

/**
 * Nothing but the gateway's own files and answers. The editor in the page styles what it shows by style
 * elements and attributes without a nonce, which is what 'unsafe-inline' is for; scripts have no such door.
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

/**
 * `/explorer`: GraphiQL from the files of its npm package, so that it works without a network. They are held
 * in memory by their names, compressed; no path of a request ever becomes one of the disk.
 *
 * @param options `demoToken` is prefilled as the bearer; `undefined` leaves a placeholder
 */
export function addExplorer({ explorer, demoToken }: ExplorerOptions): AppPart | undefined {
  if (!explorer) return undefined;
  let loaded: Promise<Explorer> | undefined;

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name?: string,
  ): Promise<FastifyReply> => {
    // Megabytes: loaded for the first who asks, and kept.
    loaded ??= loadExplorer(demoToken);
    const { page, files } = await loaded;
    const file = name === undefined ? page : files.get(name);
    if (file === undefined) {
      reply.callNotFound();
      return reply;
    }
    // Weak: one for the compressed and the plain answer.
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

  return (app) => {
    app.get('/explorer', (request, reply) => answer(request, reply));
    app.get<{ Params: { name: string } }>('/explorer/:name', (request, reply) =>
      answer(request, reply, request.params.name),
    );
  };
}

/** Whether a client takes gzip, by its `Accept-Encoding`. */
function takesGzip(accepted = ''): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);
}
