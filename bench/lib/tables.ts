import type { Contender } from '../contenders.ts';
import { toText, type Spread } from './numbers.ts';
import { operations } from './operations.ts';
import type { PathResult } from './paths.ts';

/** Returns a table with a row for each contender: ratio to the bare proxy with its range, CPU time, p99 and memory. */
export function toTable(contenders: readonly Contender[], results: readonly PathResult[]): string {
  const names = Object.keys(operations);
  const rows = contenders.map(({ id, label }) => {
    const own = results.filter(({ contender }) => contender === id);
    if (own.length === 0) return [label, 'could not start', ...names.map(() => '')];
    const cells = names.map((name) => {
      const result = own.find((it) => it.id === `${id}-${name}`);
      if (!result) return '–';
      const { timesBase, cpuUs } = result;
      return id === 'proxy'
        ? `${toText(cpuUs.median)} µs`
        : `${toRange(timesBase)}, ${toText(cpuUs.median)} µs`;
    });
    const p99 = own.find((it) => it.id === `${id}-create`)?.p99Ms;
    return [label, ...cells, p99 ? toText(p99.median) : '–', toText(own[0]!.peakMb)];
  });
  return toMarkdown(['× bare proxy', ...names, 'p99 ms of a create', 'peak MB'], rows);
}

/** Returns the table of study-gateway's other paths beside its create, and of its starts beside the bare proxy's. */
export function toOwnTable(
  results: readonly PathResult[],
  starts: Readonly<Record<string, Spread>> | undefined,
): string {
  const paths = results
    .filter(({ base }) => base === 'ours-create')
    .map(({ label, timesBase }) => [label, 'our create', toRange(timesBase)]);
  const ofStarts = Object.entries(starts ?? {}).map(([name, ratio]) => [
    `start of ${name}`,
    'start of the bare proxy',
    toRange(ratio),
  ]);
  return toMarkdown(['What', 'Beside', 'Ratio'], [...paths, ...ofStarts]);
}

function toRange({ median, min, max }: Spread): string {
  return `${toText(median)} (${toText(min)}–${toText(max)})`;
}

function toMarkdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) =>
    Math.max(...[head, ...rows].map((row) => (row[at] ?? '').length)),
  );
  const toLine = (row: readonly string[]): string =>
    `| ${head.map((_, at) => (row[at] ?? '').padEnd(widths[at]!)).join(' | ')} |`;
  return [toLine(head), toLine(widths.map((width) => '-'.repeat(width))), ...rows.map(toLine)].join(
    '\n',
  );
}
