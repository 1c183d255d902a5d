import { execFile } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 });

interface Snippet {
  /** File name of the snippet, such as `packages-client-README-md-3.tsx`. */
  readonly name: string;
  readonly code: string;
}

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

function toSnippets(document: string): Snippet[] {
  const blocks = readFileSync(document, 'utf8').matchAll(/^```(tsx?)\n([^]*?)^```$/gm);
  return Array.from(blocks, ([, extension = '', code = ''], index) => ({
    name: `${document.replaceAll(/\W/g, '-')}-${index + 1}.${extension}`,
    code,
  }));
}

/** Type-checks the snippets in a project that has this package and its dependencies. Returns the output of tsc. */
async function check(snippets: readonly Snippet[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-snippets-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  mkdirSync(join(directory, 'src'));
  for (const { name, code } of snippets) writeFileSync(join(directory, 'src', name), code);
  writeFileSync(join(directory, 'src/surroundings.d.ts'), surroundings);
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
    paths: {
      'study-gateway-client': [resolve('packages/client/src/index.ts')],
      'study-gateway-client/errors': [resolve('packages/client/src/errors.ts')],
      'study-gateway-client/react': [resolve('packages/client/src/react/hooks.ts')],
      'study-gateway-client/react/strict': [resolve('packages/client/src/react/strict.ts')],
      'study-gateway-client/testing': [resolve('packages/client/src/testing.ts')],
      'study-gateway-client/strict': [resolve('packages/client/src/strict.ts')],
    },
  };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const tsc = promisify(execFile)(resolve('node_modules/.bin/tsc'), [], { cwd: directory });
  return tsc.then(
    ({ stdout }) => stdout,
    (failure: { stdout: string }) => failure.stdout,
  );
}

it('has only snippets that type-check in the READMEs, in docs/ and in the recipes', async () => {
  const snippets = ['README.md', 'packages/client/README.md', 'docs/federation.md'].flatMap(
    toSnippets,
  );

  // The form uses packages that are not installed here: test/consumers compiles and runs it.
  const recipes = globSync('examples/recipes/*.{ts,tsx}', { exclude: ['**/study-form.tsx'] });
  const files = recipes.map((path) => ({
    name: `recipe-${basename(path)}`,
    code: readFileSync(path, 'utf8'),
  }));

  expect(snippets.length).toBeGreaterThan(5);
  expect(files.length).toBeGreaterThan(3);
  expect(await check([...snippets, ...files])).toBe('');
});

it('detects a snippet that does not type-check', async () => {
  const code = `import { studyProblem } from 'study-gateway-client';\nstudyProblem(error).nothing;\n`;

  expect(await check([{ name: 'wrong.ts', code }])).toContain("Property 'nothing' does not exist");
});
