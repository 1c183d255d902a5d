import type { Spread } from './numbers.ts';

const WIDTH = 840;
const LABELS = 270;
const VALUES = 170;
const ROW = 26;
const BAR = 16;
const TOP = 62;
/** Height of a group's title. */
const TITLE = 34;

export interface Bar {
  readonly contender: string;
  readonly kind: string;
  readonly group: string;
  /** The median is the length of the bar; minimum and maximum are marked on it. */
  readonly ratio: Spread;
  readonly text: string;
}

/** Draws a bar chart of ratios in groups as SVG, readable on light and on dark pages. */
export function toChart(title: string, subtitle: string, bars: readonly Bar[]): string {
  const longest = Math.max(...bars.map(({ ratio }) => ratio.max));
  const toX = (ratio: number): number =>
    Math.round(LABELS + (ratio / longest) * (WIDTH - LABELS - VALUES));
  let y = TOP;
  let group = '';
  const rows = bars.map((bar) => {
    const { median, min, max } = bar.ratio;
    let head = '';
    if (bar.group !== group) {
      group = bar.group;
      head = `  <text class="group" x="10" y="${y + TITLE / 2}">${escape(group)}</text>\n`;
      y += TITLE;
    }
    const middle = y + BAR / 2;
    y += ROW;
    return `${head}  <text class="label ${bar.kind}-label" x="${LABELS - 10}" y="${middle}">${escape(bar.contender)}</text>
  <rect class="${bar.kind}" x="${LABELS}" y="${middle - BAR / 2}" width="${toX(median) - LABELS}" height="${BAR}" rx="3"/>
  <path class="spread" d="M${toX(min)} ${middle}H${toX(max)}M${toX(min)} ${middle - 4}v8M${toX(max)} ${middle - 4}v8"/>
  <text x="${toX(max) + 8}" y="${middle}">${bar.text}</text>`;
  });
  const summary = bars.map(({ group: of, contender, text }) => `${of}, ${contender}: ${text}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 12}" role="img" aria-labelledby="title summary">
  <title id="title">${escape(title)}</title>
  <desc id="summary">${escape(summary.join('; '))}</desc>
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328; dominant-baseline: central }
    .title { font-size: 17px; font-weight: 600 }
    .subtitle { font-size: 12px; fill: #59636e }
    .group { font-weight: 600 }
    .label { text-anchor: end }
    .ours-label { font-weight: 600 }
    .ours { fill: #0969da }
    .proxy { fill: #8c959f }
    .peer { fill: #bc4c00 }
    .spread { stroke: #1f2328; fill: none; opacity: 0.6 }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .subtitle { fill: #9198a1 }
      .ours { fill: #4493f8 }
      .proxy { fill: #6e7781 }
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

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
