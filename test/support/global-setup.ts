import type { TestProject } from 'vitest/node';
import { describeMissing, findMissing } from './tools.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Names of the tools whose tests are skipped. */
    readonly missingTools: readonly string[];
  }
}

/** Tells the tests which tools are missing, and the reader at the end. @throws Error where REQUIRE_ALL=1 wants them all */
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
