import { readFileSync } from 'node:fs';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';

const released = readFileSync('schema/released.graphql', 'utf8');
const current = readFileSync('schema/schema.graphql', 'utf8');
const [, unreleased = ''] =
  /^## \[Unreleased\]\n([^]*?)^## \[/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];

/** Coordinates such as `Study.id` whose change from one schema to the other breaks clients. */
async function findBreaking(before: string, after: string): Promise<string[]> {
  const changes = await diff(buildSchema(before), buildSchema(after));
  const breaking = changes.filter(
    ({ criticality }) => criticality.level === CriticalityLevel.Breaking,
  );
  return [...new Set(breaking.map(({ path = '', message }) => path || message))];
}

/** Those that no line of the changelog that begins with **Breaking:** names in backticks. */
function findUntold(coordinates: readonly string[], changelog: string): string[] {
  const told = changelog
    .split(/^- /m)
    .filter((entry) => entry.startsWith('**Breaking:**'))
    .join('');
  return coordinates.filter((coordinate) => !told.includes(`\`${coordinate}\``));
}

it('tells every breaking change of the schema since the last release in the changelog', async () => {
  expect(findUntold(await findBreaking(released, current), unreleased)).toEqual([]);
});

it('would see a breaking change that the changelog leaves out', async () => {
  const changed = current.replace('  study(', '  oneStudy(');

  const breaking = await findBreaking(current, changed);

  expect(breaking).toEqual(['Query.study']);
  expect(findUntold(breaking, '- **Breaking:** `Query.studies` is gone.\n')).toEqual(breaking);
  expect(findUntold(breaking, '- `Query.study` is gone.\n')).toEqual(breaking);
  expect(findUntold(breaking, '- **Breaking:** `Query.study` is gone.\n')).toEqual([]);
});

it('compares with the version in package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

  expect(released).toContain(`# Schema of ${version}.`);
});
