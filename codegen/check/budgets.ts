// Compares the size of what is tracked with the budgets in package.json, prints both, and fails above one. Counts lines of
// code, generated operations aside; of bench/ all lines; of Markdown words. Node runs this script as it is.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(path, 'utf8');
const code = /^bench\/|^\.ci\/[a-z-]+$|\.(?:[cm]?[jt]sx?|css|graphql|html|py|sh)$/;
const count = (pattern: RegExp, texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
const list = (paths: string): string[] =>
  execFileSync('git', ['ls-files', ...paths.split(' ')], { encoding: 'utf8' })
    .trim()
    .split('\n');

/** Measures of what is no code, by the key of its budget. */
const measures: Readonly<Record<string, () => number>> = {
  'words of *.md': () => count(/\S+/g, list('*.md').map(read)),
  'README.md': () => count(/\n/g, [read('README.md')]),
  variables: () => count(/\bvariable\(/g, [read('src/config/variables.ts')]),
};

function countCode(paths: string): number {
  const files = list(paths).filter((path) => code.test(path) && !path.includes('/generated/'));
  return count(/\n/g, files.map(read));
}

const { budgets }: { budgets: Record<string, number> } = JSON.parse(read('package.json'));
for (const [key, budget] of Object.entries(budgets)) {
  const size = measures[key]?.() ?? countCode(key);
  if (size > budget) process.exitCode = 1;
  const over = size > budget ? 'over' : '';
  process.stdout.write(
    `${key.padEnd(36)}${`${size}`.padStart(8)}${`${budget}`.padStart(8)} ${over}\n`,
  );
}
