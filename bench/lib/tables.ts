import type { GrowthResult } from './growth.ts';
import type { MainTable } from './main-table.ts';
import { toText, type Spread } from './numbers.ts';
import type { PathResult } from './paths.ts';
import type { Sitting } from './sittings.ts';

/** Formats the main table in Markdown, aligned for a terminal. */
export function toMainTable(results: MainTable['results']): string {
  const head = [
    'Contender',
    'CPU µs (min–max)',
    '× bare proxy',
    'requests/s',
    'p99 ms',
    'peak MB',
    'cold start ms',
  ];
  const rows = results.map((it) => [
    it.label,
    withSpread(it.cpuUs),
    toText(it.timesRaw.median),
    it.perSecond.median.toFixed(0),
    toText(it.p99Ms.median),
    it.peakMb.toFixed(0),
    it.coldStartMs.median.toFixed(0),
  ]);
  return toTable([head, ...rows]);
}

export function toGrowthTable({ title, points }: GrowthResult): string {
  const head = [title, 'CPU µs per request (min–max)', '× bare proxy', 'requests/s', 'p99 ms'];
  const rows = points.map(({ point, cpuUs, timesRaw, perSecond, p99Ms }) => [
    String(point),
    withSpread(cpuUs),
    timesRaw ? toText(timesRaw.median) : '–',
    perSecond.toFixed(0),
    toText(p99Ms),
  ]);
  return toTable([head, ...rows]);
}

export function toPathTable(results: readonly PathResult[]): string {
  const head = ['path', 'CPU µs per request (min–max)', 'beside', '×', '+ µs', 'p99 ms'];
  const rows = results.map(({ label, cpuUs, base, timesBase, moreUs, p99Ms }) => [
    label,
    withSpread(cpuUs),
    base ?? '–',
    timesBase ? withSpread(timesBase) : '–',
    moreUs ? withSpread(moreUs) : '–',
    toText(p99Ms.median),
  ]);
  return toTable([head, ...rows]);
}

/** Formats the medians of all sittings: the paths that are compared with a bare proxy or our create. */
export function toSittingsTable(sittings: readonly Sitting[]): string {
  const head = ['Path', 'CPU µs', 'Compared with', 'CPU ratio', 'p99 ratio'];
  const rows = join(sittings, (base) => base !== 'create-alone').map(({ label, base, each }) => [
    label,
    list(each, ({ cpuUs }) => cpuUs),
    base.startsWith('raw') ? 'bare proxy' : 'our create',
    list(each, ({ timesBase }) => timesBase),
    list(each, ({ timesBaseP99 }) => timesBaseP99),
  ]);
  return toTable([head, ...rows]);
}

/** Formats the medians of all sittings: what a feature adds to a create by a process of its own. */
export function toFeaturesTable(sittings: readonly Sitting[]): string {
  const rows = join(sittings, (base) => base === 'create-alone').map(({ label, each }) => [
    label,
    list(each, ({ moreUs }) => moreUs),
    list(each, ({ timesBase }) => timesBase),
  ]);
  return toTable([['Feature', 'CPU µs more', 'CPU ratio'], ...rows]);
}

/** Returns the paths of the last sitting with a base, each with its results in all sittings. */
function join(sittings: readonly Sitting[], isWanted: (base: string) => boolean) {
  return sittings.at(-1)!.paths.flatMap(({ id, label, base }) => {
    if (base === undefined || !isWanted(base)) return [];
    return [{ label, base, each: sittings.map(({ paths }) => paths.find((it) => it.id === id)) }];
  });
}

function list(
  each: readonly (PathResult | undefined)[],
  read: (result: PathResult) => Spread | undefined,
): string {
  const medians = each.map((result) => result && read(result)?.median);
  return medians.map((median) => (median === undefined ? '–' : toText(median))).join(', ');
}

function withSpread({ median, min, max }: Spread): string {
  return `${toText(median)} (${toText(min)}–${toText(max)})`;
}

/** Formats rows as a Markdown table: the first column aligned to the left, all other columns to the right. */
function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    return `| ${cells.join(' | ')} |`;
  });
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [lines[0], `| ${rule.join(' | ')} |`, ...lines.slice(1)].join('\n');
}
