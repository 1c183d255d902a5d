import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of `test/` that take longest, the longest first. */
const slow = [
  'machines/rolling-restart',
  'consumers/gateway',
  'consumers/frontends',
  'browser/example',
  'browser/explorer',
  'browser/readme-frontend',
  'recipes/recipes',
  'judges/keys/waiting',
  'machines/dockerfile',
  'browser/example-origins',
  'browser/example-looks',
  'browser/example-start',
  'judges/keys/store',
  'process/process-log',
  'process/process-end',
  'soak/soak',
  'fuzz/fuzz',
  'judges/keys/table',
  'idempotency/strangers',
  'process/process-start',
].map((name) => `/test/${name}.test.ts`);

function toRank({ moduleId }: TestSpecification): number {
  const rank = slow.findIndex((file) => moduleId.endsWith(file));
  return rank === -1 ? slow.length : rank;
}

/**
 * Starts the slow files of each project first, so that no worker runs one of them alone at the end. Vitest knows the
 * durations only of earlier runs: in a clean checkout it would start the largest files first.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- `super` is no array, and its `sort` changes none.
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...projects.values()].flatMap((specs) =>
      specs.toSorted((one, other) => toRank(one) - toRank(other)),
    );
  }
}
