import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

type Import = readonly [path: string, specifier: string];

const forbidden: readonly Import[] = [
  ['src/scalars/a.scalar.ts', '../study/api.js'],
  ['src/study/a.ts', '../http/app.js'],
  ['src/study/a.ts', 'undici'],
  ['src/study/api.ts', 'graphql'],
  ['src/study/wire.ts', 'type-graphql'],
  ['src/graphql/a.ts', '../http/app.js'],
  ['src/auth/a.ts', '../http/app.js'],
  ['src/telemetry/a.ts', '../http/browsers.js'],
  ['src/telemetry/a.ts', '../features/rate-limits.js'],
  ['src/redis/a.ts', '../http/app.js'],
  ['src/http/a.ts', '../main.js'],
  ['src/http/a.ts', '../telemetry/metrics.js'],
  ['src/http/a.ts', 'undici'],
  ['src/http/a.ts', '../features/rate-limits.js'],
  ['src/graphql/a.ts', '../features/explain/explain.js'],
  ['src/features/rate-limits/a.ts', '../explain/explain.js'],
  ['src/features/rate-limits/a.ts', '../../telemetry/metrics.js'],
  ['src/config/a.ts', '../graphql/apollo.js'],
  ['src/process/a.ts', '../http/app.js'],
];

const directory = mkdtempSync(join(tmpdir(), 'study-gateway-lint-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the name of the folder of one import. Each import has its own folder, laid out like the repository. */
const toFolder = ([path, specifier]: Import): string =>
  encodeURIComponent(`${path} ${specifier}`).replaceAll('.', '%2E');

/** What the linter says of all files. It runs once, because its start takes longer than the rest. */
let output: string;
beforeAll(async () => {
  for (const each of forbidden) {
    const [path, specifier] = each;
    const file = join(directory, toFolder(each), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `import { it } from '${specifier}';\nit();\n`);
    // Copies the configuration, because its paths are relative to its own folder.
    copyFileSync('.oxlintrc.json', join(directory, toFolder(each), '.oxlintrc.json'));
  }
  const oxlint = resolve('node_modules/oxlint/bin/oxlint');
  const args = [oxlint, '--format', 'unix', '.'];
  const lint = promisify(execFile)(process.execPath, args, { cwd: directory });
  ({ stdout: output } = await lint.catch((error: { stdout: string }) => error));
});

it.each(forbidden)('%s may not import %s', (...each) => {
  const lines = output.split('\n').filter((line) => line.includes(`${toFolder(each)}/`));

  expect(lines.join('\n')).toContain('no-restricted-imports');
});

it('nothing else is wrong with the files', () => {
  expect(output).toMatch(new RegExp(`^${forbidden.length} problems`, 'm'));
});
