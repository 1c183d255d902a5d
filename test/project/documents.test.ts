import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { scenarios } from 'study-gateway-emulator';

const documents = [
  ...globSync('*.md'),
  ...globSync('docs/*.md'),
  ...globSync('.github/**/*.md'),
  'bench/README.md',
  'examples/react/README.md',
  ...globSync('packages/*/README.md'),
];

/** Returns the text of a document without code, where Markdown can have links. */
function toProse(path: string): string {
  return readFileSync(path, 'utf8')
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

it('has every document in the index of docs/', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const files = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md');

  expect(files.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

it.for(documents)('%s names only npm scripts that exist', (document) => {
  const text = readFileSync(document, 'utf8');
  const code = [...text.matchAll(/^```sh\n([^]*?)^```$|`([^`\n]+)`/gm)].map(
    ([, block, inline]) => block ?? inline ?? '',
  );
  const named = code.flatMap((part) =>
    [...part.matchAll(/\bnpm (?:run |(?=(?:test|start)\b))([\w:-]+)/g)].map(
      ([, name = '']) => name,
    ),
  );

  expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

it.each([
  ['README.md', 220],
  ['CONTRIBUTING.md', 160],
])('%s has at most %i lines', (document, most) => {
  expect(readFileSync(document, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(most);
});

it('has every package, and every folder and file of src/, in the picture of the README', () => {
  const [, picture = ''] =
    /^packages\/\n([^]*?)^```$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  const folders = globSync(['packages/*/', 'src/**/'], { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${name}/`);
  const files = globSync('src/*.ts').map((path) => path.replace('src/', ''));
  const drawn = [...picture.matchAll(/^ +(\S+)/gm)].map(([, name = '']) => name);

  // The picture may leave out these: the folder itself, the version, and the group of features.
  const expected = [...folders, ...files].filter(
    (name) => !['src/', 'version.ts', 'features/'].includes(name),
  );
  expect(drawn.filter((name) => name !== 'features/').toSorted()).toEqual(expected.toSorted());
});

it('has every token of the emulator in the table of errors.md', () => {
  const table = readFileSync('docs/errors.md', 'utf8').matchAll(
    /^\| `(demo-[\w-]+)` +\| (.*?) +\|$/gm,
  );
  const rows = [...table].map(([, token, description]) => ({ token, description }));

  expect(rows.slice(1)).toEqual(scenarios);
});
