import type { TestProject } from 'vitest/node';
import { describeMissing, findMissing } from './tools.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Names of the tools whose tests are skipped. */
    readonly missingTools: readonly string[];
  }
}

/**
 * Provides the names of the missing tools to the tests, and prints these tools after the run.
 *
 * @throws Error if a tool is missing and REQUIRE_ALL=1 is set
 */
export default function setUp(project: TestProject): () => void {
  const missing = findMissing();
  project.provide(
    'missingTools',
    missing.map(({ name }) => name),
  );
  if (missing.length > 0 && process.env['REQUIRE_ALL'] === '1')
    throw new Error(describeMissing(missing));
  return () => {
    if (missing.length > 0) console.log(describeMissing(missing));
  };
}
