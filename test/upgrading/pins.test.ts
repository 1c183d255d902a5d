import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Row {
  readonly name: string;
  readonly part: string;
  readonly file: string;
  readonly test: string;
}

const read = (path: string): string => readFileSync(path, 'utf8');
const readJson = (path: string) => JSON.parse(read(path));

const text = read('docs/upgrading.md');
/** The rows of the table of pinned packages, with the columns package, part and its use, file, and test. */
const rows: readonly Row[] = Array.from(
  text.matchAll(/^\| `([^`]+)` +\| `([^`]+)`: [^|]+ \| `([^`]+)` +\| `([^`]+)` +\|$/gm),
  ([, name = '', part = '', file = '', test = '']) => ({ name, part, file, test }),
);
const sources = globSync(['{src,packages/*/src}/**/*.ts', 'codegen/explorer/*']).map((path) => ({
  path,
  source: read(path),
}));
const toFilesWith = (part: string): string[] =>
  sources.filter(({ source }) => source.includes(part)).map(({ path }) => path);

it('the table lists the packages with private parts', () => {
  expect(new Set(rows.map(({ name }) => name))).toEqual(
    new Set([
      'type-graphql',
      '@apollo/server',
      'undici',
      'node',
      'pino',
      '@graphql-yoga/render-graphiql',
    ]),
  );
});

it.each([...new Set(rows.map(({ name }) => name))])('%s is pinned exactly', (name) => {
  const { dependencies, devDependencies } = readJson('package.json');
  const { optionalDependencies: nodes } = readJson('.ci/node/package.json');
  const pinned = { ...dependencies, ...devDependencies };
  const names = name === 'node' ? Object.keys(nodes) : [name];
  const { packages } = readJson('package-lock.json');

  for (const one of names) {
    const version = { ...pinned, ...nodes }[one];
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    expect(packages[`node_modules/${one}`]).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
    });
  }
});

it.each(rows)('$part of $name is used only in $file', ({ part, file }) => {
  expect(toFilesWith(part)).toEqual([file]);
});

it.each(rows)('$part of $name has a test, $test', ({ test }) => {
  expect(existsSync(test)).toBe(true);
});

it('the section "The way out" names exactly the files that import type-graphql', () => {
  const [, wayOut = ''] = text.split('## The way out');
  const named = Array.from(wayOut.matchAll(/^\| `(src\/[^`]+)`/gm), ([, path = '']) => path);

  expect(named.toSorted()).toEqual(toFilesWith("from 'type-graphql'").toSorted());
});

it("the private part of zod's schemas is used nowhere", () => {
  expect(toFilesWith('_zod')).toEqual([]);
});

it('the lock file records no address of a registry', () => {
  // The ones that are recorded are the folders of the workspaces.
  expect(read('package-lock.json')).not.toMatch(/"resolved": "(?!packages\/[\w-]+"|\.ci\/node")/);
});
