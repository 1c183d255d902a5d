import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppPart } from '../../http/app.js';
import { icon, page, toStartScript } from './explorer.page.js';

interface Asset {
  readonly contentType: string;
  readonly body: string;
  readonly etag: string;
}

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

/**
 * `/explorer`: GraphiQL from the files of its npm package, so that it works without a network. They are held
 * in memory by their addresses; no path of a request ever becomes one of the disk.
 *
 * @param options `demoToken` is prefilled as the bearer; `undefined` leaves a placeholder
 */
export function addExplorer({ explorer, demoToken }: ExplorerOptions): AppPart | undefined {
  if (!explorer) return undefined;
  let assets: Promise<ReadonlyMap<string, Asset>> | undefined;

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
  ): Promise<FastifyReply> => {
    // Megabytes: loaded for the first who asks, and kept.
    assets ??= loadAssets(demoToken);
    const asset = (await assets).get(path);
    if (asset === undefined) {
      reply.callNotFound();
      return reply;
    }
    void reply.headers({
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
      etag: asset.etag,
    });
    if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
    return reply.type(asset.contentType).send(asset.body);
  };

  return (app) => {
    app.get('/explorer', (request, reply) => answer(request, reply, '/explorer'));
    app.get<{ Params: { name: string } }>('/explorer/:name', (request, reply) =>
      answer(request, reply, `/explorer/${request.params.name}`),
    );
  };
}

async function loadAssets(demoToken: string | undefined): Promise<ReadonlyMap<string, Asset>> {
  const graphiql = await import('@graphql-yoga/render-graphiql/graphiql');
  return new Map([
    toAsset('/explorer', 'text/html', page),
    toAsset('/explorer/icon.svg', 'image/svg+xml', icon),
    toAsset('/explorer/start.js', 'text/javascript', toStartScript(demoToken)),
    toAsset('/explorer/graphiql.css', 'text/css', graphiql.css),
    toAsset('/explorer/graphiql.js', 'text/javascript', graphiql.js),
    // By the labels under which the editor asks for its workers.
    toAsset('/explorer/editorWorkerService.js', 'text/javascript', graphiql.editorWorkerService),
    toAsset('/explorer/graphql.js', 'text/javascript', graphiql.graphqlWorker),
    toAsset('/explorer/json.js', 'text/javascript', graphiql.jsonWorker),
  ]);
}

function toAsset(path: string, mediaType: string, body: string): [string, Asset] {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return [path, { contentType: `${mediaType}; charset=utf-8`, body, etag }];
}
