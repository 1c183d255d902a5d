import { defineConfig } from 'vitest/config';
import { findMissing, tools } from './test/support/tools.js';

const missing = findMissing();

export default defineConfig({
  // type-graphql's ESM build and Apollo's CJS parts must share one graphql: Node picks index.js, Vite would pick index.mjs.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    tags: tools.map((tool) => ({
      name: tool.name,
      description: tool.tests,
      skip: missing.includes(tool),
    })),
    server: { deps: { inline: ['graphql', 'type-graphql', 'graphql-scalars'] } },
    // Ends what hangs. No test measures by these times, and a busy machine needs more than the defaults of 5 s and 1 s.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
