import { toText, type Spread } from './numbers.ts';
import { escape, round } from './svg.ts';

const WIDTH = 840;
const LABELS = 340;
const VALUES = 110;
const ROW = 34;
const BAR = 20;
const TOP = 62;

export interface Bar {
  readonly kind: 'ours' | 'raw' | 'peer';
  readonly label: string;
  /** CPU time in µs: the median is the length of the bar, minimum and maximum are marked on it. */
  readonly cpuUs: Spread;
}

/** Draws a bar chart of CPU times as SVG, readable on light and on dark pages. */
export function toChart(title: string, subtitle: string, bars: readonly Bar[]): string {
  const longest = Math.max(...bars.map(({ cpuUs }) => cpuUs.max));
  const toWidth = (us: number): number => (us / longest) * (WIDTH - LABELS - VALUES);
  const rows = bars.map(({ kind, label, cpuUs: { median, min, max } }, index) => {
    const y = TOP + index * ROW;
    const middle = y + BAR / 2;
    const [from, to] = [min, max].map((us) => round(LABELS + toWidth(us)));
    return `  <text class="label ${kind}-label" x="${LABELS - 10}" y="${middle}">${escape(label)}</text>
  <rect class="${kind}" x="${LABELS}" y="${y}" width="${round(toWidth(median))}" height="${BAR}" rx="3"/>
  <path class="spread" d="M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8"/>
  <text x="${round(LABELS + toWidth(max) + 8)}" y="${middle}">${toText(median)} µs</text>`;
  });
  const height = TOP + bars.length * ROW + 12;
  const summary = bars.map(({ label, cpuUs }) => `${label}: ${toText(cpuUs.median)} µs`).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title summary">
  <title id="title">${escape(title)}</title>
  <desc id="summary">${escape(summary)}</desc>
  <style>
    text { font: 14px system-ui, sans-serif; fill: #1f2328; dominant-baseline: central }
    .title { font-size: 17px; font-weight: 600 }
    .subtitle { font-size: 12px; fill: #59636e }
    .label { text-anchor: end }
    .ours-label { font-weight: 600 }
    .ours { fill: #0969da }
    .raw { fill: #8c959f }
    .peer { fill: #bc4c00 }
    .spread { stroke: #1f2328; fill: none; opacity: 0.6 }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .subtitle { fill: #9198a1 }
      .ours { fill: #4493f8 }
      .raw { fill: #6e7781 }
      .peer { fill: #db6d28 }
      .spread { stroke: #f0f6fc }
    }
  </style>
  <text class="title" x="10" y="20">${escape(title)}, less is better</text>
  <text class="subtitle" x="10" y="42">${escape(subtitle)}</text>
${rows.join('\n')}
</svg>
`;
}
