import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import current from '../../schema/stable.json' with { type: 'json' };
import releasedJson from '../../schema/released.json' with { type: 'json' };

type Stable = Readonly<Record<string, readonly string[]>>;

const { version, ...released } = releasedJson;
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [, unreleased = ''] = /^## \[Unreleased\]\n([^]*?)^## \[/m.exec(changelog) ?? [];

/** Names in `lines` of the list that are not there, or not alike, in `others`; the name of the group if it is new or gone. */
function findOnlyIn(lists: Stable, others: Stable): string[] {
  const names = Object.entries(lists).flatMap(([group, lines]) => {
    const rest = others[group];
    if (!rest) return [group];
    return lines.filter((line) => !rest.includes(line)).map((line) => line.split(' ')[0]!);
  });
  return [...new Set(names)];
}

/** Names of new input fields that clients must send. */
function findDemanded(before: Stable, after: Stable): string[] {
  const isDemand = (line: string): boolean => /^\w+Input\.\w+ .*!$/.test(line);
  const demands = Object.entries(after).map(([group, lines]) => [group, lines.filter(isDemand)]);
  return findOnlyIn(Object.fromEntries(demands), before).filter((name) => /Input\./.test(name));
}

/** Names of what has changed that no entry of the changelog has in backticks; of what is gone, none that is **Breaking:**. */
function findUntold(before: Stable, after: Stable, text: string): string[] {
  const entries = text.split(/^- /m);
  const breaking = entries.filter((entry) => entry.startsWith('**Breaking:**')).join('');
  const isIn = (told: string) => (name: string) => told.includes(`\`${name}\``);
  const broken = [...findOnlyIn(before, after), ...findDemanded(before, after)];
  const added = findOnlyIn(after, before).filter((name) => !isIn(text)(name));
  return [...new Set([...broken.filter((name) => !isIn(breaking)(name)), ...added])];
}

it('has a line in the changelog for each change since the last release of what is promised stable', () => {
  expect(findUntold(released, current, unreleased)).toEqual([]);
  expect(version).toBe(manifest.version);
});

it.for([
  { what: 'a field of the schema', group: 'Query', before: 'Query.study id: UUID! Study' },
  { what: 'a default', group: 'environment variables', before: 'PORT 4000' },
  { what: 'a metric', group: 'metrics', before: 'study_gateway_errors_total counter code' },
  { what: 'an export', group: 'study-gateway-client/react', before: 'useStudyQuery' },
  { what: 'an exit code', group: 'exit codes', before: '143' },
] as const)('misses the line of $what that has changed', ({ group, before }) => {
  const lines: readonly string[] = current[group];
  const [name] = before.split(' ');
  const changed: Stable = { ...current, [group]: lines.filter((line) => line !== before) };

  expect(lines).toContain(before);
  expect(findUntold(current, changed, '- `other` is gone.\n')).toEqual([name]);
  expect(findUntold(current, changed, `- \`${name}\` is gone.\n`)).toEqual([name]);
  expect(findUntold(current, changed, `- **Breaking:** \`${name}\` is gone.\n`)).toEqual([]);
  expect(findUntold(changed, current, '- Another is new.\n')).toEqual([name]);
  expect(findUntold(changed, current, `- \`${name}\` is new.\n`)).toEqual([]);
});

it('has the sections of Keep a Changelog, in their order, in each version of the changelog', () => {
  const order = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  const [, ...versions] = changelog.split(/^(?=## )/m);

  expect(versions.map((text) => text.split('\n', 1)[0])).toEqual([
    '## [Unreleased]',
    ...versions.slice(1).map(() => expect.stringMatching(/^## \[[\d.]+\] - \d{4}-\d\d-\d\d$/)),
  ]);
  for (const text of versions) {
    const sections = Array.from(text.matchAll(/^### (.*)$/gm), ([, name = '']) => name);
    expect(sections).toEqual(order.filter((name) => sections.includes(name)));
  }
});
