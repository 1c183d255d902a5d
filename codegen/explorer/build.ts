// Writes the explorer's page and files, compressed, to dist/explorer/. Node runs this script as it is: it must import nothing of src/.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as graphiql from '@graphql-yoga/render-graphiql/graphiql';

const target = new URL('../../dist/explorer/', import.meta.url);

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

function write(name: string, text: string): void {
  writeFileSync(new URL(`${name}.gz`, target), gzipSync(text));
}

const texts = {
  'icon.svg': read('icon.svg'),
  'style.css': read('style.css'),
  'start.js': read('start.js'),
  'graphiql.css': graphiql.css,
  'graphiql.js': graphiql.js,
  'editorWorkerService.js': graphiql.editorWorkerService,
  'graphql.js': graphiql.graphqlWorker,
  'json.js': graphiql.jsonWorker,
};

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
let page = read('page.html');
for (const [path, text] of Object.entries(texts)) {
  const { name, ext } = parse(path);
  // Browsers keep a file for good, so a changed file needs another name.
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const hashed = `${name}.${hash}${ext}`;
  write(hashed, text);
  // Relative to the page, so that a proxy may serve the gateway under a path.
  page = page.replaceAll(`{{${path}}}`, `explorer/${hashed}`);
}
write('page.html', page);
