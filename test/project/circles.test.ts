import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const files = ['src', 'packages/rest-outcome/src'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);

/** The files that each file imports, including type imports. */
const imports = new Map(
  files.map((file) => [
    file,
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)].map(
      ([, path = '']) => `${normalize(join(dirname(file), path))}.ts`,
    ),
  ]),
);

/** Returns a chain of imports from `file` back to itself; `undefined` if there is none. */
function findCircle(file: string): string[] | undefined {
  const seen = new Set<string>();
  const walk = (path: readonly string[]): string[] | undefined => {
    for (const next of imports.get(path.at(-1)!) ?? []) {
      if (next === file) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const circle = walk([...path, next]);
      if (circle) return circle;
    }
    return undefined;
  };
  return walk([file]);
}

it('finds every import of the sources', () => {
  expect([...imports.values()].flat().filter((file) => !imports.has(file))).toEqual([]);
  expect(imports.get('src/main.ts')).toContain('src/programs.ts');
});

it('has no circular imports among the sources, including type imports', () => {
  expect(files.map(findCircle).find(Boolean)).toBeUndefined();
});
