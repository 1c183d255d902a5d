import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { createScratchCopy, type ScratchCopy } from '../support/scratch-copy.js';
import { carryOut, recipes } from './recipes.fixture.js';

const ends: (() => Promise<void> | void)[] = [];
let copy: ScratchCopy;

async function run(...args: readonly string[]): Promise<string> {
  // Every row of a matrix.
  const env = { ...process.env, DAILY: '1', NO_COLOR: '1' };
  const ended = promisify(execFile)(process.execPath, args, { cwd: copy.root, env });
  const { stdout } = await ended.catch((error: { stdout: string }) => error);
  return stdout;
}

/** Runs tests in the copy, and returns how many have passed, if none has failed. */
async function countPassed(file: string, names: string): Promise<number> {
  const vitest = 'node_modules/vitest/vitest.mjs';
  const report = await run(vitest, 'run', '--project', 'most', file, `--testNamePattern=${names}`);
  const [, count] = /^ +Tests +(\d+) passed/m.exec(report) ?? [];
  if (count === undefined) throw new Error(report);
  return Number(count);
}

beforeAll(async () => {
  copy = createScratchCopy(['.'], (end) => void ends.push(end));
  for (const recipe of Object.values(recipes)) carryOut(recipe, copy);
  await run('node_modules/@graphql-codegen/cli/esm/bin.js');
  return async () => {
    for (const end of ends) await end();
  };
}, 120_000);

it('a copy that all recipes have changed compiles', { timeout: 120_000 }, async () => {
  expect(await run('node_modules/typescript/bin/tsc')).toBe('');
  const operations = 'packages/client/src/generated/operations.ts';
  expect(readFileSync(join(copy.root, operations), 'utf8')).toMatch(/reviewer: string \| null/);
});

it.each([
  ['field', 'test/contract/broken-outputs.test.ts', 'reviewer', 1],
  ['operation', 'test/write/archive-study.test.ts', '.', 4],
  ['variable', 'test/project/readme.test.ts', 'lists exactly the environment variables', 1],
  ['feature', 'test/features/served-by.test.ts', '.', 2],
  ['failure', 'test/write/failures.test.ts', '^locked|table of errors', 4],
  ['noun', 'test/write/note.test.ts', '.', 16],
])('the recipe of the next %s works', { timeout: 120_000 }, async (_, file, names, count) => {
  expect(await countPassed(file, names)).toBeGreaterThanOrEqual(count);
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

it('the next operation changes five files outside of src/study', () => {
  const files = new Set(recipes.operation.map(([file]) => file));

  expect([...files].filter((file) => !file.startsWith('src/study/'))).toHaveLength(5);
});
