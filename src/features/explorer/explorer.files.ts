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
  /** Hash of the text, in the ETag and in the address. */
  readonly hash: string;
  readonly gzipped: Buffer;
}

export interface Explorer {
  readonly page: ExplorerFile;
  /** What the page loads, by the names below `/explorer/`. */
  readonly files: ReadonlyMap<string, ExplorerFile>;
}

interface Source {
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
  readonly hash: string;
}

const compress = promisify(gzip);

/** Compresses the page and all that the page loads, in libuv's threads. */
export async function loadExplorer(demoToken: string | undefined): Promise<Explorer> {
  const { js, css, editorWorkerService, graphqlWorker, jsonWorker } = await readGraphiql();
  const sources = [
    toSource('icon.svg', 'image/svg+xml', icon),
    toSource('graphiql.css', 'text/css', css),
    toSource('style.css', 'text/css', style),
    toSource('graphiql.js', 'text/javascript', js),
    // By the labels under which the editor asks for its workers.
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

/** Code of a thread: sends the exports of the module whose path is the thread's data. */
const sendExports = `const { parentPort, workerData } = require('node:worker_threads');
parentPort.postMessage({ ...require(workerData) });`;

/** Reads GraphiQL's files as texts. The module is loaded in a thread, whose end frees the megabytes of its source. */
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

/** The addresses by name, relative to the page, so that a proxy may put the gateway under a path. */
function toAddresses(sources: readonly Source[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sources.map(({ name, hash }) => [name, `explorer/${name}?v=${hash}`] as const),
  );
}

async function toFile({ mediaType, text, hash }: Source): Promise<ExplorerFile> {
  return { contentType: `${mediaType}; charset=utf-8`, hash, gzipped: await compress(text) };
}
