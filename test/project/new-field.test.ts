import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import codegen from '../../codegen.js';
import { createScratchCopy, type ScratchCopy } from '../support/scratch-copy.js';

/** Edits that add a field: a file, an existing line, and the text to insert below this line. */
const edits: readonly (readonly [file: string, line: RegExp, text: string])[] = [
  [
    'src/study/wire.ts',
    /^ {2}summaries: strings,$/m,
    "  reviewer: z.string('a string or null').nullish(),",
  ],
  [
    'src/study/type.ts',
    /^ {2}summaries!: .*$/m,
    `
  @Field(() => String, { nullable: true, description: 'Who reviews the study.' })
  reviewer?: string | null;`,
  ],
  [
    'packages/contract/src/study-fields.ts',
    /^ {2}summaries: .*$/m,
    "  reviewer: { kind: 'text', answer: 'optional' },",
  ],
  ['packages/client/src/study.graphql', /^ {2}summaries$/m, '  reviewer'],
  ['test/support/studies.ts', /^ {2}summaries: .*$/m, "  reviewer: optional(text, 'Ada'),"],
];

function addField({ edit }: ScratchCopy): void {
  for (const [file, line, text] of edits)
    edit(file, (before) => {
      expect(before).toMatch(line);
      return before.replace(line, (match) => `${match}\n${text}`);
    });
}

/** Returns the files of `root` that differ from the repository's files, except for generated files. */
function findChanged(root: string): string[] {
  return globSync('**/*.{ts,tsx,graphql,json}', {
    cwd: root,
    exclude: (path) => path === 'node_modules',
  })
    .filter((file) => !(file in codegen.generates))
    .filter((file) => !readFileSync(file).equals(readFileSync(join(root, file))));
}

it(
  'needs for a new read-only field changes in five files, which CONTRIBUTING.md names',
  { timeout: 120_000 },
  async () => {
    const copy = createScratchCopy(['.']);
    const { root } = copy;
    const run = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, args, {
        cwd: root,
        // Every row of the new field.
        env: { ...process.env, DAILY: '1', NO_COLOR: '1' },
      });

    addField(copy);
    await run('node_modules/@graphql-codegen/cli/esm/bin.js');
    await run('node_modules/typescript/bin/tsc');
    const tests = 'test/contract/broken-outputs.test.ts';
    const report = await run(
      'node_modules/vitest/vitest.mjs',
      'run',
      tests,
      '--testNamePattern=reviewer',
    );

    const recipe = readFileSync('CONTRIBUTING.md', 'utf8');
    expect(findChanged(root).toSorted()).toEqual(edits.map(([file]) => file).toSorted());
    expect(edits.filter(([file]) => !recipe.includes(`\`${file}\``))).toEqual([]);
    expect(readFileSync(join(root, 'packages/client/src/generated/operations.ts'), 'utf8')).toMatch(
      /reviewer: string \| null/,
    );
    // Ends with an error if one fails.
    expect(report.stdout).toMatch(/Tests +(?:9|\d\d+) passed/);
  },
);
