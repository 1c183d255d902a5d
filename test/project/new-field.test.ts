import { execFile } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import codegen from '../../codegen.js';
import { createDirectory } from '../support/process.js';

const MOST_FILES = 4;

interface Report {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
}

/** Files, each with an existing line and the text to write below that line. */
const edits: readonly (readonly [file: string, line: RegExp, text: string])[] = [
  [
    'src/study/study.wire.ts',
    /^ {2}summaries: strings,$/m,
    "  reviewer: z.string('a string or null').nullish(),",
  ],
  ['src/study/study.wire.ts', /^ {2}summaries: 'summaries',$/m, "  reviewer: 'reviewer',"],
  [
    'src/study/study.type.ts',
    /^ {2}summaries!: .*$/m,
    `
  @Field(() => String, { nullable: true, description: 'Who reviews the study.' })
  reviewer?: string | null;`,
  ],
  ['client/study.graphql', /^ {2}summaries$/m, '  reviewer'],
  ['test/support/studies.ts', /^ {2}summaries: .*$/m, "  reviewer: optional(text, 'Ada'),"],
];

/** A copy of this repository, where programs of `node_modules` run. It goes when the test ends. */
function copyRepository(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'study-gateway-field-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const left = new Set(['node_modules', 'dist', '.git', '.data']);
  cpSync('.', root, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  return root;
}

function addField(root: string): void {
  for (const [file, line, text] of edits) {
    const path = join(root, file);
    const before = readFileSync(path, 'utf8');
    expect(before).toMatch(line);
    writeFileSync(
      path,
      before.replace(line, (match) => `${match}\n${text}`),
    );
  }
}

/** The files of `root` that differ from the repository's, but for those that codegen writes. */
function findChanged(root: string): string[] {
  return globSync('**/*.{ts,tsx,graphql,json}', {
    cwd: root,
    exclude: (path) => path === 'node_modules',
  })
    .filter((file) => !(file in codegen.generates))
    .filter((file) => !readFileSync(file).equals(readFileSync(join(root, file))));
}

/** The files that CONTRIBUTING names for the next field of a study. */
function readSteps(): string[] {
  const [, section = ''] =
    /^## The next field of a study\n([^]*?)^Then /m.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ??
    [];
  return [...section.matchAll(/`([\w./-]+\/[\w.-]+\.\w+)`/g)].map(([, file = '']) => file);
}

it(
  'takes a field that is only read in the files that CONTRIBUTING names, and no other',
  { timeout: 120_000 },
  async () => {
    const root = copyRepository();
    const run = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, args, { cwd: root });

    addField(root);
    await run('node_modules/@graphql-codegen/cli/esm/bin.js');
    await run('node_modules/typescript/bin/tsc');
    const report = join(createDirectory(), 'report.json');
    await run(
      'node_modules/vitest/vitest.mjs',
      'run',
      'test/contract/broken-outputs.test.ts',
      '--testNamePattern=reviewer',
      '--reporter=json',
      `--outputFile=${report}`,
    );

    expect(findChanged(root).toSorted()).toEqual(readSteps().toSorted());
    expect(readSteps().length).toBeLessThanOrEqual(MOST_FILES);
    expect(readFileSync(join(root, 'client/generated/operations.ts'), 'utf8')).toMatch(
      /reviewer: string \| null/,
    );
    const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    expect(numFailedTests).toBe(0);
    expect(numPassedTests).toBeGreaterThan(8);
  },
);
