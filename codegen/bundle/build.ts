// Writes the gateway as one file to bundle/, for the image.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { writeLicences } from './licences.js';

process.chdir(join(import.meta.dirname, '../..'));

/** Packages outside the bundle. Nothing installs them in the image. */
const external = [
  // type-graphql imports class-validator only with `validate: true`.
  'class-validator',
];

/** Resolves `graphql` to ES modules for `import` and `require` alike. The CommonJS modules would be a second copy. */
const oneCopy: Plugin = {
  name: 'one-copy',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^graphql$/ }, () => ({
      path: join(process.cwd(), 'node_modules/graphql/index.mjs'),
    })),
};

/** Gives each source file the `import.meta.url` that it has in dist/: the file finds other files from there. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const url = `new URL(${JSON.stringify(`./${relative('src', path)}`)}, import.meta.url).href`;
      const source = readFileSync(path, 'utf8');
      return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' };
    }),
};

/** Leaves node_modules out of the source map, which has 4 MB with them: Node reads the source map at each start. */
const unmapped: Plugin = {
  name: 'unmapped',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      // Maps the line of the comment alone: esbuild ignores a source map that maps nothing.
      const mappings = `${';'.repeat(source.split('\n').length)}AAAA`;
      const map = JSON.stringify({ version: 3, sources: [''], mappings });
      const data = Buffer.from(map).toString('base64');
      return { contents: `${source}\n//# sourceMappingURL=data:application/json;base64,${data}` };
    }),
};

rmSync('bundle', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['src/main.ts'],
  outfile: 'bundle/gateway.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node26',
  external,
  plugins: [oneCopy, ownUrls, unmapped],
  metafile: true,
  sourcemap: true,
  sourcesContent: false,
  // Names stay: type-graphql and stack traces show them. `keepNames` would cost time whenever a function is made.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  banner: {
    js: "import{createRequire as __from}from'node:module';const require=__from(import.meta.url);",
  },
});
writeLicences(metafile);
writeFileSync(
  'bundle/main.js',
  `import { enableCompileCache, setSourceMapsSupport } from 'node:module';
// The flag --enable-source-maps would make pino map each frame of a stack at the start.
setSourceMapsSupport(true);
// Node goes on without a cache that it cannot read, and without one that V8 refuses.
enableCompileCache({ directory: import.meta.dirname + '/cache', portable: true });
await import('./gateway.js');
`,
);
