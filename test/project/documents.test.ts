import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { createDirectory } from '../support/process.js';
import { run } from '../support/run.js';

const documents = globSync(
  '{*.md,docs/*.md,.github/**/*.md,bench/*.md,examples/react/*.md,packages/*/*.md}',
);

const read = (path: string): string => readFileSync(path, 'utf8');

/** Returns the text of a document without code, where Markdown can have links. */
function toProse(path: string): string {
  return read(path)
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));
}

/** Returns the anchors that GitHub gives to the headings of a document. */
function toAnchors(path: string): string[] {
  return [...toProse(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the links of a document whose target does not exist in this repository. */
function findBrokenLinks(document: string): string[] {
  const links = [...toProse(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const path = file === '' ? document : join(dirname(document), file);
      return !existsSync(path) || (anchor !== undefined && !toAnchors(path).includes(anchor));
    });
}

it.for(documents)('%s has only links that resolve', (document) => {
  expect(findBrokenLinks(document)).toEqual([]);
});

it.for(documents)('%s names only npm scripts that exist', (document) => {
  const code = [...read(document).matchAll(/^```sh\n([^]*?)^```$|`([^`\n]+)`/gm)].map(
    ([, block, inline]) => block ?? inline ?? '',
  );
  const named = code.flatMap((part) =>
    [...part.matchAll(/\bnpm (?:run |(?=(?:test|start)\b))([\w:-]+)/g)].map(
      ([, name = '']) => name,
    ),
  );

  expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

/** Declarations of the names that snippets use without declaring them. */
const surroundings = `
declare const id: string;
declare const url: string;
declare const headers: Record<string, string>;
declare const fetchOptions: RequestInit;
declare function readToken(): string;
declare const error: unknown;
declare function show(problem: unknown): void;
declare module '@graphql-hive/gateway' {
  interface Request { readonly request: { readonly headers: Headers } }
  export function defineConfig(config: {
    supergraph: string;
    propagateHeaders: { fromClientToSubgraphs: (by: Request) => Record<string, string | null> };
  }): unknown;
}
`;

it('has only snippets and recipes that type-check', { timeout: 60_000 }, async () => {
  const directory = createDirectory();
  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  mkdirSync(join(directory, 'src'));
  const blocks = ['README.md', 'packages/client/README.md', 'docs/federation.md'].flatMap(
    (document) => Array.from(read(document).matchAll(/^```tsx?\n([^]*?)^```$/gm)),
  );
  for (const [index, [, code = '']] of blocks.entries()) write(`src/snippet-${index}.tsx`, code);
  // The set-up that other snippets import.
  const setUp = blocks.find(([, code = '']) => code.startsWith('// safe.ts'));
  write('src/safe.ts', setUp?.[1] ?? '');
  const recipes = globSync('examples/recipes/*.{ts,tsx}');
  for (const path of recipes) write(`src/${basename(path)}`, read(path));
  write('src/surroundings.d.ts', surroundings);
  write(
    'src/wrong.ts',
    `import { studyProblem } from 'study-gateway-client';\nstudyProblem(error).no;`,
  );
  const { paths } = JSON.parse(read('tsconfig.json')).compilerOptions;
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['react'],
    paths: Object.fromEntries(
      Object.entries<string[]>(paths).map(([name, [path = '']]) => [name, [resolve(path)]]),
    ),
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions }));

  const failure: unknown = await run(directory, resolve('node_modules/.bin/tsc'), []).catch(
    (error: unknown) => error,
  );

  expect(blocks.length + recipes.length).toBeGreaterThan(9);
  expect(String(failure).match(/^src\/.*/gm)).toEqual([
    expect.stringMatching(/^src\/wrong\.ts.*Property 'no' does not exist/),
  ]);
});
