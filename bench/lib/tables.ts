import type { GrowthResult } from './growth.ts';
import type { MainTable } from './main-table.ts';
import { toText, type Spread } from './numbers.ts';
import type { PathResult } from './paths.ts';
import type { Sitting } from './sittings.ts';

/** Formats the main table in Markdown, aligned for a terminal. */
export function toMainTable({ results, missing }: MainTable): string {
  const head = [
    'contender',
    'CPU µs per request (min–max)',
    '× bare proxy',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'peak MB',
    'cold start ms',
  ];
  const rows = results.map((it) => [
    it.label,
    withSpread(it.cpuUs),
    toText(it.timesRaw.median),
    it.perSecond.median.toFixed(0),
    toText(it.p50Ms.median),
    toText(it.p99Ms.median),
    it.peakMb.toFixed(0),
    it.coldStartMs.median.toFixed(0),
  ]);
  const notes = missing.map(({ label, reason }) => `Left out: ${label}: ${reason}`);
  return [toTable([head, ...rows]), ...notes].join('\n');
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

/** Formats the medians of each path in all sittings: the times of its base, or the CPU time of a path without one. */
export function toSittingsTable(sittings: readonly Sitting[]): string {
  const head = ['path', 'beside', ...sittings.map(({ at }) => at), 'p99, × its base'];
  const rows: string[][] = [];
  for (const { id, label, base } of sittings.at(-1)!.paths) {
    const each = sittings.map(({ paths }) => paths.find((path) => path.id === id));
    const costs = each.map((path) => {
      if (!path) return '–';
      const { cpuUs, timesBase } = path;
      return timesBase ? toText(timesBase.median) : `${toText(cpuUs.median)} µs`;
    });
    const p99 = each.map((path) => (path?.timesBaseP99 ? toText(path.timesBaseP99.median) : '–'));
    rows.push([label, base ?? '–', ...costs, p99.join(', ')]);
  }
  return toTable([head, ...rows]);
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
