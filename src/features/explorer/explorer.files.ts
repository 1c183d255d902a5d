import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gzip } from 'node:zlib';
import type * as graphiql from '@graphql-yoga/render-graphiql/graphiql';
import { icon, style, toPage, toStartScript } from './explorer.page.js';

interface ExplorerFile {
  readonly contentType: string;
  /** Hash of the uncompressed text, used in the ETag and in the URL. */
  readonly hash: string;
  readonly gzipped: Buffer;
}

export interface Explorer {
  readonly page: ExplorerFile;
  /** Files that the page loads, by their names in `/explorer/`. */
  readonly files: ReadonlyMap<string, ExplorerFile>;
}

interface Source {
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
  readonly hash: string;
}

const compress = promisify(gzip);

/** Creates the page and all files that the page loads. Compresses them in libuv's thread pool. */
export async function loadExplorer(demoToken: string | undefined): Promise<Explorer> {
  const { js, css, editorWorkerService, graphqlWorker, jsonWorker } = await readGraphiql();
  const sources = [
    toSource('icon.svg', 'image/svg+xml', icon),
    toSource('graphiql.css', 'text/css', css),
    toSource('style.css', 'text/css', style),
    toSource('graphiql.js', 'text/javascript', js),
    // Named after the labels by which the Monaco editor requests its workers.
    toSource('editorWorkerService.js', 'text/javascript', editorWorkerService),
    toSource('graphql.js', 'text/javascript', graphqlWorker),
    toSource('json.js', 'text/javascript', jsonWorker),
  ];
  const script = toStartScript(demoToken, toAddresses(sources));
  sources.push(toSource('start.js', 'text/javascript', script));
  const page = toSource('page', 'text/html', toPage(toAddresses(sources)));
  const files = await Promise.all(
    sources.map(async (source) => [source.name, await toFile(source)] as const),
  );
  return { page: await toFile(page), files: new Map(files) };
}

/** Source of a worker thread that loads the module at the path `workerData`, and sends the exports to its parent. */
const sendExports = `const { parentPort, workerData } = require('node:worker_threads');
parentPort.postMessage({ ...require(workerData) });`;

/**
 * Returns GraphiQL's files as strings. Loads their module in a worker thread: the main thread would keep the module's
 * megabytes of source in memory.
 */
async function readGraphiql(): Promise<typeof graphiql> {
  const workerData = createRequire(import.meta.url).resolve(
    '@graphql-yoga/render-graphiql/graphiql',
  );
  const [texts] = await once(new Worker(sendExports, { eval: true, workerData }), 'message');
  return texts;
}

function toSource(name: string, mediaType: string, text: string): Source {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { name, mediaType, text, hash };
}

/** Returns the URLs of files by name, relative to the page, so that a proxy may serve the gateway under a path. */
function toAddresses(sources: readonly Source[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sources.map(({ name, hash }) => [name, `explorer/${name}?v=${hash}`] as const),
  );
}

async function toFile({ mediaType, text, hash }: Source): Promise<ExplorerFile> {
  return { contentType: `${mediaType}; charset=utf-8`, hash, gzipped: await compress(text) };
}
