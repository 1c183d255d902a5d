import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

/** A test, or a file of tests, that a document names as the proof of a promise. */
interface Proof {
  readonly path: string;
  /** Words of the test's name; `undefined` if the whole file is the proof. */
  readonly test?: string;
}

/** Returns the path of a test file such as `drift` or `auth/jwks`. Returns an unknown or ambiguous name unchanged. */
function toPath(name: string): string {
  const [path, ...more] = globSync(`test/**/${name.replace(/^test\//, '')}.test.ts`);
  return path === undefined || more.length > 0 ? name : path;
}

/** Returns the cells of all columns with this header in the tables of a document. */
function toCells(document: string, header: string): string[] {
  return readFileSync(document, 'utf8')
    .split('\n\n')
    .map((block) => block.split('\n').map((row) => row.split('|').map((cell) => cell.trim())))
    .flatMap((rows) => {
      const column = rows[0]?.indexOf(header) ?? -1;
      return rows.slice(2).map((row) => row[column] ?? '');
    });
}

/**
 * Parses a cell such as "`one`, `two`: does this; does that …; `three`" into files and names of tests. A name of a test
 * belongs to the last file before it.
 */
function toProofs(cell: string, folder = ''): Proof[] {
  const proofs: Proof[] = [];
  let path = '';
  for (const part of cell.split(/; |, (?=…)/)) {
    const [files = ''] = /^(?:`[a-z./-]+`(?:, | and )?)*/.exec(part) ?? [];
    for (const [, name = ''] of files.matchAll(/`([^`]+)`/g)) {
      path = toPath(`${folder}${name.replace(/\.test\.ts$/, '')}`);
      proofs.push({ path });
    }
    const test = part.slice(files.length).replace(/^: /, '');
    const isTest = files === '' || part.startsWith(': ', files.length);
    // A part with inline code is a command or a variable, not the name of a test.
    if (isTest && !test.includes('`')) proofs.push({ path, test });
  }
  return proofs;
}

/** Returns the names of the tests in a file, with the placeholders of vitest. */
function toNames(path: string): string[] {
  const names = /(?:\b(?:it|describe)|\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`|"([^"\n]*)")/g;
  const source = readFileSync(path, 'utf8');
  return [...source.matchAll(names)].map(([, ...quoted]) => quoted.find(Boolean) ?? '');
}

/** Splits a text into words, without trailing commas and colons. */
function toWords(text: string): string[] {
  return text.split(/\s+/).map((word) => word.replace(/[,:]$/, ''));
}

/** Whether both match: `…` stands for any number of words, and a placeholder in `name` for one to three words. */
function agree(test: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = test;
  const [word, ...words] = name;
  if (first === undefined || word === undefined) return test.every((one) => one === '…') && !word;
  if (first === '…') return agree(rest, name) || agree(test, words);
  if (first === word) return agree(rest, words);
  if (!/%[a-z]|\$/.test(word)) return false;
  return [1, 2, 3].some(
    (count) => !test.slice(0, count).includes('…') && agree(test.slice(count), words),
  );
}

function isThere({ path, test }: Proof): boolean {
  if (!existsSync(path)) return false;
  return (
    test === undefined || toNames(path).some((name) => agree(toWords(`… ${test} …`), toWords(name)))
  );
}

describe.each([
  ['docs/reliability.md', 'Proved by', ''],
  ['docs/idempotency.md', 'Test', 'idempotency/'],
])('%s', (document, header, folder) => {
  const proofs = toCells(document, header)
    .filter((cell) => cell !== '' && cell !== 'the same')
    .flatMap((cell) => toProofs(cell, folder));

  it('names only tests that exist', () => {
    expect(proofs.filter(({ test }) => test !== undefined).length).toBeGreaterThan(8);
    expect(proofs.filter((proof) => !isThere(proof))).toEqual([]);
  });
});

it.each(['docs/reliability.md', 'SECURITY.md'])('%s names only files that exist', (document) => {
  const text = readFileSync(document, 'utf8');
  const lists = [...text.matchAll(/\(((?:`[a-z/-]+`(?:, | and )?)+)\)/g)];
  const names = lists.flatMap(([, list = '']) =>
    [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );

  expect(names.filter((name) => !existsSync(`test/${name}`) && !existsSync(toPath(name)))).toEqual(
    [],
  );
});

it('npm run test:security runs every test that SECURITY.md names as an attack', () => {
  const [, filters = ''] = /^vitest run (.+)$/.exec(manifest.scripts['test:security']) ?? [];
  const names = toCells('SECURITY.md', 'How').flatMap((cell) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => toPath(name)),
  );
  const isRun = (path: string): boolean =>
    existsSync(path) && filters.split(' ').some((filter) => path.includes(filter));

  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((path) => !isRun(path))).toEqual([]);
});

it('detects a test that does not exist', () => {
  const [first, second, ...rest] = toProofs(
    '`drift`, `ledger`: tells $told after …; sings in the dark',
  );

  expect([first, second].map((proof) => isThere(proof!))).toEqual([true, true]);
  expect(rest.map(({ test }) => test)).toEqual(['tells $told after …', 'sings in the dark']);
  expect(rest.map(isThere)).toEqual([true, false]);
  expect(isThere({ path: toPath('nothing') })).toBe(false);
});
