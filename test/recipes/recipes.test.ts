import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScratchCopy, type ScratchCopy } from '../support/scratch-copy.js';
import { carryOut, recipes } from './recipes.fixture.js';

/** For each recipe, a test file, the names of its tests, and how many must pass at least. */
const rows: readonly (readonly [keyof typeof recipes, file: string, names: RegExp, number])[] = [
  ['field', 'test/contract/broken-outputs.test.ts', /reviewer is an error/, 1],
  ['operation', 'test/write/archive-study.test.ts', /^archiveStudy/, 4],
  ['variable', 'test/project/readme.test.ts', /lists exactly the environment variables/, 1],
  ['feature', 'test/features/served-by.test.ts', /^a response names the process/, 2],
  ['failure', 'test/write/failures.test.ts', /^locked|table of errors/, 4],
  ['noun', 'test/write/note.test.ts', /^note:/, 8],
];

/** The part of Vitest's report in JSON that is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const ends: (() => void)[] = [];
let copy: ScratchCopy;
let report: Report['testResults'];
let problems: string;

async function run(...args: readonly string[]): Promise<string> {
  // Every row of a matrix.
  const env = { ...process.env, DAILY: '1', NO_COLOR: '1' };
  const options = { cwd: copy.root, env, maxBuffer: 1e8 };
  const ended = promisify(execFile)(process.execPath, args, options);
  const { stdout } = await ended.catch((error: { stdout: string }) => error);
  return stdout;
}

/** Runs the tests of all rows at once. */
async function runTests(): Promise<Report['testResults']> {
  await run(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=most',
    '--reporter=json',
    '--outputFile=report.json',
    `--testNamePattern=${rows.map(([, , names]) => names.source).join('|')}`,
    ...rows.map(([, file]) => file),
  );
  return (JSON.parse(readFileSync(join(copy.root, 'report.json'), 'utf8')) as Report).testResults;
}

beforeAll(async () => {
  copy = createScratchCopy(['.'], (end) => void ends.push(end));
  for (const recipe of Object.values(recipes)) carryOut(recipe, copy);
  await run('node_modules/@graphql-codegen/cli/esm/bin.js');
  const compiled = run('node_modules/typescript/bin/tsc');
  report = await runTests();
  problems = await compiled;
}, 120_000);
// Also when `beforeAll` fails.
afterAll(() => ends.forEach((end) => end()));

it('a copy that all recipes have changed compiles', () => {
  expect(problems).toBe('');
  const operations = 'packages/client/src/generated/operations.ts';
  expect(readFileSync(join(copy.root, operations), 'utf8')).toMatch(/reviewer: string \| null/);
});

it.each(rows)('the recipe of the next %s works', (_, file, names, count) => {
  const found = report.find(({ name }) => name.endsWith(file));
  const tests = found?.assertionResults.filter(({ fullName }) => names.test(fullName)) ?? [];

  expect([found?.message, ...tests.flatMap((test) => test.failureMessages)]).toEqual(['']);
  const passed = tests.filter(({ status }) => status === 'passed');
  expect(passed.length).toBeGreaterThanOrEqual(count);
});

it.each(Object.entries(recipes))(
  'CONTRIBUTING.md names each file of the next %s',
  async (name, recipe) => {
    const text = readFileSync('CONTRIBUTING.md', 'utf8');
    const [, steps = ''] =
      new RegExp(`^## The next ${name}\\b.*\\n([^]*?)^## `, 'm').exec(text) ?? [];
    const named = [...steps.matchAll(/`([^`\s]*[/.][^`\s]*)`/g)].map(
      ([, path = '']) =>
        new RegExp(
          `^${path
            .replaceAll('.', String.raw`\.`)
            .replaceAll(/<[^>]+>/g, '[^/]+')
            .replace(/\/$/, '/[^/]+')}$`,
        ),
    );
    const files = [...new Set(recipe.map(([file]) => file))];

    expect(files.filter((file) => !named.some((path) => path.test(file)))).toEqual([]);
  },
);

it('the linter holds the folder of the next noun to the directions of studies', async () => {
  const lint = () => run('node_modules/oxlint/bin/oxlint', '--format', 'unix', 'src/note');
  expect(await lint()).toBe('');

  copy.edit('src/note/note.wire.ts', (text) => `import '../http/app.js';\n${text}`);
  expect(await lint()).toMatch(/src\/note\/note\.wire\.ts:1:.*no-restricted-imports/);
});
