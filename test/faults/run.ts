// Plants each fault of faults.ts in a copy of the tree, and runs the tests that must see it.
import { execFile, execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonTestResults } from 'vitest/node';
import { faults, type Fault } from './faults.js';

const root = join(import.meta.dirname, '../..');
/** Maximum time of a build or of a test run, in ms. */
const MAX_MS = 300_000;
/** Number of test files that are run together before any fault is planted. */
const FILES = 6;

/**
 * Matches the message of a failed `expect`. `resolves`, `rejects` and `poll` throw an `Error`; so do a test and a hook that
 * time out, with other messages.
 */
const ASSERTION = /^(?:AssertionError|Error: (?:expected|promise) )/;

/** Returns what is wrong with the place of a fault, or with the names of its tests; `undefined` if nothing is. */
function findMisplacement({ file, find, tests }: Fault): string | undefined {
  const missing = [file, ...tests].find((path) => !fs.existsSync(join(root, path)));
  if (missing !== undefined) return `there is no ${missing}`;
  const count = fs.readFileSync(join(root, file), 'utf8').split(find).length - 1;
  return count === 1 ? undefined : `${file} has it ${count} times`;
}

/** Runs a program of `node_modules` in a copy. Returns its output, and whether it ended with 0. */
function run(copy: string, program: string, ...args: string[]) {
  const path = join(copy, 'node_modules', program);
  return new Promise<{ isFine: boolean; output: string }>((resolve) => {
    const options = { cwd: copy, timeout: MAX_MS, maxBuffer: 1e8 };
    execFile(process.execPath, [path, ...args], options, (error, stdout, stderr) =>
      resolve({ isFine: error === null, output: stdout + stderr }),
    );
  });
}

/** File of the fault with which a copy was built last. */
const builtWith = new Map<string, string>();

/** Builds the gateway of a copy, and the packages that have changed since the last build. */
async function build(copy: string, file: string) {
  const changed = [file, builtWith.get(copy)].flatMap((one) => /^packages\/[^/]+/.exec(one ?? ''));
  builtWith.set(copy, file);
  for (const project of new Set(changed.filter((one) => one !== null))) {
    // The paths of tsconfig.json would lead from one package into the sources of another.
    const built = await run(copy, 'typescript/bin/tsc', '--project', project, '--paths', 'null');
    if (!built.isFine) return built;
  }
  return run(copy, 'typescript/bin/tsc', '--project', 'tsconfig.build.json');
}

/**
 * Copies the tracked files of the tree, and builds the copy. Its node_modules links to that of the tree, but the packages
 * of the tree are those of the copy.
 */
function createCopy(): string {
  const copy = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'faults-')));
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of tracked.split('\0').slice(0, -1)) {
    if (!fs.existsSync(join(root, file))) continue;
    fs.mkdirSync(dirname(join(copy, file)), { recursive: true });
    fs.copyFileSync(join(root, file), join(copy, file));
  }
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  fs.mkdirSync(to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    // Caches of Vite and Vitest.
    if (entry.name.startsWith('.') && entry.name !== '.bin') continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    const isOwn = entry.isSymbolicLink();
    fs.symlinkSync(isOwn ? fs.readlinkSync(source) : source, target);
    if (isOwn && fs.existsSync(target) && !fs.realpathSync(target).startsWith(copy))
      throw new Error(`${target} leads out of the copy`);
  }
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: copy, stdio: 'inherit' });
  return copy;
}

async function test(copy: string, files: readonly string[], ...options: string[]) {
  const report = join(copy, 'report.json');
  fs.rmSync(report, { force: true });
  const args = ['run', ...files, '--reporter=json', `--outputFile=${report}`, ...options];
  const { output } = await run(copy, 'vitest/vitest.mjs', ...args);
  if (!fs.existsSync(report)) console.error(`${files.join(' ')}: no report\n${output}`);
  const text = fs.existsSync(report) ? fs.readFileSync(report, 'utf8') : '{"testResults":[]}';
  const { testResults }: JsonTestResults = JSON.parse(text);
  return testResults;
}

/** Returns the files whose tests pass without a fault. A file whose tests are all skipped is none. */
async function findGreen(copy: string, files: readonly string[]): Promise<string[]> {
  const results = await test(copy, files);
  const green = results.filter(
    ({ status, assertionResults }) =>
      status === 'passed' && assertionResults.some(({ status }) => status === 'passed'),
  );
  return green.map(({ name }) => name.slice(copy.length + 1));
}

/** Plants a fault, and returns what became of it. */
async function plant(copy: string, fault: Fault): Promise<string> {
  const path = join(copy, fault.file);
  const text = fs.readFileSync(path, 'utf8');
  fs.writeFileSync(
    path,
    text.replace(fault.find, () => fault.replace),
  );
  try {
    const built = await build(copy, fault.file);
    if (!built.isFine) return `does not compile: ${built.output.split('\n', 1)[0]}`;
    const results = await test(copy, fault.tests, '--bail=1');
    const failed = results.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed'),
    );
    const by = failed.find(({ failureMessages }) =>
      failureMessages?.some((message) => ASSERTION.test(message)),
    );
    if (by) return `seen by "${by.fullName}"`;
    const [other] = failed;
    const reason = other?.failureMessages?.[0]?.split('\n', 1)[0];
    return other ? `NOT SEEN: "${other.fullName}" ${reason}` : 'NOT SEEN';
  } finally {
    fs.writeFileSync(path, text);
  }
}

const { values, positionals: names } = parseArgs({
  options: { places: { type: 'boolean' }, jobs: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const unknown = names.find((name) => faults.every((fault) => fault.name !== name));
if (unknown !== undefined) throw new Error(`there is no fault ${unknown}`);
const chosen = faults.filter(({ name }) => names.length === 0 || names.includes(name));

const say = ({ name }: Fault, what: string): void => {
  console.log(`${name.padEnd(28)} ${what}`);
  if (!what.startsWith('seen')) process.exitCode = 1;
};
const queue = chosen.filter((fault) => {
  const misplacement = findMisplacement(fault);
  if (misplacement !== undefined) say(fault, `place not found: ${misplacement}`);
  return misplacement === undefined;
});

if (!values.places && queue.length > 0) {
  const copies = [createCopy()];
  /** Each copy takes the next item when it is done with one. */
  const share = <Item>(items: Item[], use: (copy: string, item: Item) => Promise<void>) =>
    Promise.all(
      copies.map(async (copy) => {
        for (let item = items.shift(); item; item = items.shift()) await use(copy, item);
      }),
    );
  try {
    while (copies.length < Number(values.jobs)) {
      copies.push(`${copies[0]}-${copies.length}`);
      fs.cpSync(copies[0]!, copies.at(-1)!, { recursive: true, verbatimSymlinks: true });
    }
    const files = [...new Set(queue.flatMap(({ tests }) => tests))];
    const groups = Map.groupBy(files, (file) => Math.floor(files.indexOf(file) / FILES));
    const green = new Set<string>();
    await share([...groups.values()], async (copy, group) => {
      for (const file of await findGreen(copy, group)) green.add(file);
      // Alone, once more: together they may be too slow on a busy machine.
      for (const file of group.filter((file) => !green.has(file)))
        for (const found of await findGreen(copy, [file])) green.add(found);
    });
    await share(queue, async (copy, fault) => {
      const red = fault.tests.find((file) => !green.has(file));
      say(fault, red ? `not tried: ${red} is not green without it` : await plant(copy, fault));
    });
  } finally {
    for (const copy of copies) fs.rmSync(copy, { recursive: true, force: true });
  }
}
