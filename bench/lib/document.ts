import { readFileSync, writeFileSync } from 'node:fs';
import type { MainTable } from './main-table.ts';
import type { Sitting } from './sittings.ts';
import { toFeaturesTable, toMainTable, toSittingsTable } from './tables.ts';

const FILE = new URL('../../docs/performance.md', import.meta.url);

/** Writes the tables of the last whole run and of the last sittings into docs/performance.md. */
export function writeDocument(): void {
  writeFileSync(FILE, fillTables(readFileSync(FILE, 'utf8')));
}

/** Returns `document` with a new table below each comment that names one. */
export function fillTables(document: string): string {
  const { results }: MainTable = JSON.parse(read('results.json'));
  const sittings: readonly Sitting[] = JSON.parse(read('paths.json'));
  const tables = {
    contenders: toMainTable(results),
    paths: toSittingsTable(sittings),
    features: toFeaturesTable(sittings),
  };
  return document.replaceAll(
    /(<!-- (contenders|paths|features): .*\n\n)(?:\|.*\n)*/g,
    (_, comment: string, name: keyof typeof tables) => `${comment}${tables[name]}\n`,
  );
}

function read(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
}
