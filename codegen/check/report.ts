// Prints a line for each test that failed or did not run, at most 30, and then "N passed, N failed". Takes the exit code
// and the JSON report of `npm test`, and the exit code of `.ci/bare`, which has printed its failures. Node runs this script
// as it is.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { JsonTestResults } from 'vitest/node';

const [, , code, report = '', bareCode] = process.argv;
const { numPassedTests, testResults }: JsonTestResults = JSON.parse(
  readFileSync(report, 'utf8') || '{ "numPassedTests": 0, "testResults": [] }',
);
const lines = testResults.flatMap(({ name, status, message, assertionResults }) => {
  const file = relative('', name);
  const lines = assertionResults
    .filter((test) => test.status !== 'passed')
    .map((test) => `${file} > ${test.fullName}: ${test.failureMessages?.[0] ?? 'did not run'}`);
  // A file that could not be loaded, or whose hooks failed, may have no failed test.
  const isBroken = status === 'failed' && assertionResults.every((test) => test.status !== status);
  return isBroken ? [`${file}: ${message}`].concat(lines) : lines;
});
if (code !== '0' && lines.length === 0) lines.push(`npm test: exit code ${code}`);
if (bareCode !== '0') lines.push(`.ci/bare: exit code ${bareCode}`);
for (const line of lines.slice(0, 30)) process.stdout.write(`${line.split('\n')[0]}\n`);
process.stdout.write(`${numPassedTests} passed, ${lines.length} failed\n`);
process.exitCode = lines.length === 0 ? 0 : 1;
