import { globSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { allDaily } from './test/support/daily.js';
import { SlowFirst } from './test/support/slow-first.js';
import { findMissing, tools } from './test/support/tools.js';

const missing = findMissing();
const hasFirefox = missing.every(({ name }) => name !== 'firefox');

/** Returns paths of test files. A path without a file fails: its tests would run nowhere, or in another project. */
function files(...paths: string[]): string[] {
  const missing = paths.find((path) => globSync(path, { cwd: import.meta.dirname }).length === 0);
  if (missing) throw new Error(`vitest.config.ts names ${missing}, and there is no such file.`);
  return paths;
}

/** Change the metadata that type-graphql keeps for the whole process. */
const changing = files('test/additions/additions.test.ts', 'test/additions/resolvers.test.ts');

/** Measure CPU: one file after the other, when all other tests have ended. */
const measuring = files('test/features/operation-bombs.test.ts', 'test/fuzz/costs.test.ts');

/** Load the machine, or measure the memory of a process: two files at a time, after the projects `most` and `apart`. */
const loading = files(
  'test/http/slow-readers.test.ts',
  'test/machines/memory.test.ts',
  'test/machines/reuse-port.test.ts',
  'test/machines/rolling-restart.test.ts',
  'test/process/restart-under-load.test.ts',
  'test/soak/*.test.ts',
  'test/telemetry/bounded-series.test.ts',
  'test/write/answer-size.test.ts',
);

/** More than cores: most tests wait for timers, pages and child processes. */
const maxWorkers = 4;

/**
 * The tests of pages once more, in Firefox: one file, and in the daily job all, one after the other, because Firefox takes
 * three times the CPU of Chromium.
 */
const firefox: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'firefox',
    include: files(allDaily('test/browser/*.test.ts', 'test/browser/example-origins.test.ts')),
    // Opens no page.
    exclude: files('test/browser/explorer-files.test.ts'),
    maxWorkers: allDaily(1, maxWorkers),
    sequence: { groupOrder: allDaily(3, 0) },
    isolate: false,
    setupFiles: 'test/support/close-browser.ts',
    provide: { browser: 'firefox' },
  },
};

export default defineConfig({
  // type-graphql's ESM build and Apollo's CJS parts must share one graphql: Node picks index.js, Vite would pick index.mjs.
  resolve: {
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
    // The packages run from their sources, as in tsx and tsc.
    tsconfigPaths: true,
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'most',
          include: ['test/**/*.test.ts'],
          exclude: [...changing, ...measuring, ...loading],
          maxWorkers,
          // A worker imports the modules once for all of its files: for each file that would cost a third more CPU. So no
          // test may leave anything behind in a module that it imports.
          isolate: false,
          setupFiles: 'test/support/close-browser.ts',
          provide: { browser: 'chromium' },
        },
      },
      ...(hasFirefox ? [firefox] : []),
      { extends: true, test: { name: 'apart', include: changing, maxWorkers } },
      {
        extends: true,
        test: {
          name: 'loads',
          include: loading,
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'measures', include: measuring, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
    sequence: { sequencer: SlowFirst },
    globalSetup: 'test/support/global-setup.ts',
    // Not `skip: false`, which would undo the `skip: true` of another tag of the same test.
    tags: tools.map((tool) => {
      const [name, description] = [tool.name, tool.tests];
      return missing.includes(tool) ? { name, description, skip: true } : { name, description };
    }),
    server: { deps: { inline: ['graphql', 'type-graphql', 'graphql-scalars'] } },
    // Ends what hangs. No test measures by these times, and a busy machine needs more than the defaults of 5 s and 1 s.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
