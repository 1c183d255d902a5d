import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { run } from '../support/run.js';
import { createScratchCopy } from '../support/scratch-copy.js';

vi.setConfig({ testTimeout: 60_000 });

const NEXT = '1.2.3';
const files = ['package.json', 'package-lock.json', '.npmrc', 'README.md', 'CHANGELOG.md'];
const copied = [...files, 'docs', 'packages', 'deploy', 'schema', 'codegen'];

/** Creates a repository with the files that a version stands in, in which `npm version` has run. */
async function createRelease() {
  const { root, edit } = createScratchCopy(copied);
  const git = (...args: readonly string[]) => run(root, 'git', args);
  const check = (...args: readonly string[]) =>
    run(root, process.execPath, ['codegen/release/version.ts', '--check', ...args]);
  await git('init', '--quiet');
  await git('config', 'user.name', 'Test');
  await git('config', 'user.email', 'test@study-gateway.example');
  await git('add', '--', ...copied);
  await git('commit', '--quiet', '--message', 'before');
  await run(root, 'npm', ['version', NEXT]);
  return { root, edit, git, check };
}

/** Lines of a diff without context, by file. */
function toChanges(diff: string) {
  return Object.fromEntries(
    diff.split(/^diff --git a\/.* b\//m).map((part) => {
      const [path = '', ...lines] = part.split('\n');
      const pick = (sign: string) =>
        lines.filter((line) => line.startsWith(sign) && !/^(?:---|\+\+\+) /.test(line));
      const strip = (line: string): string => line.slice(1);
      return [path, { removed: pick('-').map(strip), added: pick('+').map(strip) }];
    }),
  );
}

it('npm version changes, commits and tags all that a release needs', async () => {
  const { root, edit, git, check } = await createRelease();

  const diff = await git('show', '--unified=0', '--format=', 'HEAD');
  const {
    '': _,
    'CHANGELOG.md': changelog,
    'schema/released.json': released,
    ...others
  } = toChanges(diff);
  const read = (path: string): object => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const packages = ['client', 'contract', 'emulator', 'rest-outcome'];
  expect(Object.keys(others)).toEqual([
    'deploy/helm/study-gateway/Chart.yaml',
    'deploy/helm/study-gateway/values.yaml',
    'deploy/kubernetes/kustomization.yaml',
    'docs/operations.md',
    'package-lock.json',
    'package.json',
    'packages/client/README.md',
    ...packages.slice(0, 2).map((name) => `packages/${name}/package.json`),
    'packages/contract/src/to-openapi.ts',
    ...packages.slice(2).map((name) => `packages/${name}/package.json`),
    'schema/study-api.openapi.json',
  ]);
  const toNext = (line: string): string => line.replaceAll(manifest.version, NEXT);
  for (const { removed, added } of Object.values(others))
    expect(added).toEqual(removed.map(toNext));
  expect(Object.values(others).flatMap(({ added }) => added)).toHaveLength(33);
  expect(changelog).toEqual({
    removed: [],
    added: [`## [${NEXT}] - ${new Date().toISOString().slice(0, 10)}`, ''],
  });
  expect(released?.added).toContain(`  "version": "${NEXT}",`);
  expect(read('schema/released.json')).toEqual({ version: NEXT, ...read('schema/stable.json') });
  expect(await git('log', '-1', '--format=%s %D')).toContain(`release: ${NEXT} HEAD -> `);
  expect(await git('tag')).toBe(`v${NEXT}\n`);
  expect(await git('status', '--porcelain', '--untracked-files=no')).toBe('');

  await check(`v${NEXT}`);
  await expect(check('v1.2.4')).rejects.toThrow(`The tag v1.2.4 is not v${NEXT}.`);
  edit('packages/emulator/package.json', (text) =>
    text.replace(`"version": "${NEXT}"`, '"version": "1.2.2"'),
  );
  await expect(check()).rejects.toThrow(
    `packages/emulator/package.json is not that of version ${NEXT}.`,
  );
});
