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
      ...(missing.includes(tool) && { skip: true }),
    })),
    server: { deps: { inline: ['graphql', 'type-graphql', 'graphql-scalars'] } },
  },
});
