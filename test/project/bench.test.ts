import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createDirectory } from '../support/process.js';

/** Copies the benchmark to a temporary directory, without the packages of the other gateways. */
function copyBench(): string {
  const root = createDirectory();
  cpSync('bench', join(root, 'bench'), {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  });
  cpSync('package.json', join(root, 'package.json'));
  for (const name of ['dist', 'node_modules']) symlinkSync(resolve(name), join(root, name));
  return root;
}

function runBench(root: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const args = ['bench/bench.ts', '--quick'];
  const env = { ...process.env, TAILCALL_LIBC: '' };
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

it('has its last results in the tables of the document', () => {
  const document = readFileSync('docs/performance.md', 'utf8');
  const code = `import { fillTables } from './bench/lib/document.ts';
    import { readFileSync } from 'node:fs';
    process.stdout.write(fillTables(readFileSync('docs/performance.md', 'utf8')));`;

  const filled = execFileSync(process.execPath, ['--input-type=module', '--eval', code]);

  expect(document.match(/<!-- \w+: /g)).toHaveLength(3);
  expect(filled.toString()).toBe(document);
});

it('says in one sentence what to install if the other gateways are missing', async () => {
  expect(await runBench(copyBench())).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Install the other gateways first: npm ci --prefix bench\n',
  });
});

it('writes no file with --quick, and says what cannot start', { timeout: 120_000 }, async () => {
  const root = copyBench();
  mkdirSync(join(root, 'bench/node_modules'));
  // Leaves the two contenders that need no other package and one whose package is missing, and shortens the rounds.
  const contenders = join(root, 'bench/contenders.ts');
  const [ours] = readFileSync(contenders, 'utf8').split('/** All contenders');
  writeFileSync(
    contenders,
    `${ours}export const contenders: readonly Contender[] = [rawJson, ours, tailcall];
     export { knowsVariable };
     function knowsVariable(_: string): boolean { return true; }`,
  );
  const bench = join(root, 'bench/bench.ts');
  const quick = /warmUpMs: 4_000, rounds: 5, roundMs: 1_200/;
  expect(readFileSync(bench, 'utf8')).toMatch(quick);
  const shorter = 'warmUpMs: 100, rounds: 1, roundMs: 100';
  writeFileSync(bench, readFileSync(bench, 'utf8').replace(quick, shorter));
  const before = readdirSync(join(root, 'bench'));
  const results = readFileSync(join(root, 'bench/results.json'), 'utf8');

  const { code, stdout, stderr } = await runBench(root);

  const reason = /bin\/tailcall: (not found|No such file or directory)\s*/.source;
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(`^Tailcall, native is left out\\. .*${reason}round 1 of 1\n$`),
  });
  expect(stdout).toContain('study-gateway');
  expect(stdout).toMatch(new RegExp(`\nLeft out: Tailcall, native: .*${reason}$`));
  expect(readdirSync(join(root, 'bench'))).toEqual(before);
  expect(readFileSync(join(root, 'bench/results.json'), 'utf8')).toBe(results);
  expect(existsSync(join(root, 'docs'))).toBe(false);
});
