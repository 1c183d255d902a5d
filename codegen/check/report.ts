// Prints a line for each test that failed or did not run, at most 30, and then "N passed, N failed". Takes the exit codes and
// the JSON reports of `npm test` and of `.ci/bare`, which may skip tests. Node runs this script as it is.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { JsonTestResults } from 'vitest/node';

const [, , code, report = '', bareCode, bareReport = ''] = process.argv;
const read = (path: string): JsonTestResults =>
  JSON.parse(readFileSync(path, 'utf8') || '{ "numPassedTests": 0, "testResults": [] }');

const list = ({ testResults }: JsonTestResults, ...allowed: readonly string[]): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative('', name);
    const lines = assertionResults
      .filter((test) => !allowed.includes(test.status))
      .map((test) => `${file} > ${test.fullName}: ${test.failureMessages?.[0] ?? 'did not run'}`);
    // A file that could not be loaded, or whose hooks failed, may have no failed test.
    const isBroken =
      status === 'failed' && assertionResults.every((test) => test.status !== status);
    return isBroken ? [`${file}: ${message}`, ...lines] : lines;
  });

const results = read(report);
const lines = list(results, 'passed');
if (code !== '0' && lines.length === 0) lines.push(`npm test: exit code ${code}`);
if (bareCode !== '0') lines.push(`.ci/bare: exit code ${bareCode}`);
if (bareCode !== '0') lines.push(...list(read(bareReport), 'passed', 'skipped'));
for (const line of lines.slice(0, 30)) process.stdout.write(`${line.split('\n')[0]}\n`);
process.stdout.write(`${results.numPassedTests} passed, ${lines.length} failed\n`);
process.exitCode = lines.length === 0 ? 0 : 1;
