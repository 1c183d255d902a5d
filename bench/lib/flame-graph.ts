import type { Frame } from './cpu-profile.ts';
import { escape, round } from './svg.ts';

const WIDTH = 1200;
const ROW = 17;
const TOP = 64;
/** Minimum width of a frame, in pixels; narrower frames are left out. */
const MIN_WIDTH = 1.5;
/** Width of a character of a frame's label, in pixels. */
const CHARACTER = 6.1;
/** Maximum width of a character of the legend, in pixels. */
const LEGEND_CHARACTER = 7.4;

/** Colours of the owners, readable on light and on dark pages. */
const colours: Readonly<Record<string, string>> = {
  gateway: '#6cb6ff',
  '@apollo/server': '#dcbdfb',
  graphql: '#f5a8d5',
  fastify: '#ffd28e',
  undici: '#8ddb8c',
  zod: '#96d0ff',
  pino: '#f6e58d',
  node: '#c9d1d9',
};

/** Draws a profile as an SVG flame graph: callers above callees, each frame as wide as its share of the time. */
export function toFlameGraph(root: Frame, title: string, subtitle: string): string {
  const rects: string[] = [];
  let depth = 0;
  const draw = (frame: Frame, x: number, level: number): void => {
    const width = (frame.totalUs / root.totalUs) * WIDTH;
    if (width < MIN_WIDTH) return;
    depth = Math.max(depth, level);
    const y = TOP + level * ROW;
    const share = ((frame.totalUs / root.totalUs) * 100).toFixed(1);
    const fill = colours[frame.owner] ?? '#e5c9a8';
    const label = escape(cut(frame.name, width));
    rects.push(
      `<g><title>${escape(frame.name)}, ${escape(frame.owner)}: ${share} %</title>` +
        `<rect x="${round(x)}" y="${y}" width="${round(width)}" height="${ROW - 1}" fill="${fill}"/>` +
        `${label && `<text x="${round(x + 3)}" y="${y + 8}">${label}</text>`}</g>`,
    );
    let left = x;
    const callees = [...frame.callees.values()].toSorted(
      (one, other) => other.totalUs - one.totalUs,
    );
    for (const callee of callees) {
      draw(callee, left, level + 1);
      left += (callee.totalUs / root.totalUs) * WIDTH;
    }
  };
  draw(root, 0, 0);
  let right = WIDTH - 10;
  const legend = Object.entries(colours)
    .toReversed()
    .map(([owner, colour]) => {
      const x = right - owner.length * LEGEND_CHARACTER;
      right = x - 40;
      return (
        `<rect x="${round(x - 18)}" y="38" width="12" height="12" fill="${colour}"/>` +
        `<text class="legend" x="${round(x)}" y="44">${owner}</text>`
      );
    });
  const height = TOP + (depth + 1) * ROW + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title summary">
<title id="title">${escape(title)}</title>
<desc id="summary">${escape(subtitle)}</desc>
<style>
text { font: 11px ui-monospace, monospace; fill: #1f2328; dominant-baseline: central }
.title { font: 600 17px system-ui, sans-serif }
.subtitle, .legend { font: 12px system-ui, sans-serif; fill: #59636e }
@media (prefers-color-scheme: dark) { .title { fill: #f0f6fc } .subtitle, .legend { fill: #9198a1 } }
</style>
<text class="title" x="10" y="18">${escape(title)}</text>
<text class="subtitle" x="10" y="44">${escape(subtitle)}</text>
${legend.join('\n')}
${rects.join('\n')}
</svg>
`;
}

function cut(name: string, width: number): string {
  const room = Math.floor((width - 6) / CHARACTER);
  if (room < 3) return '';
  return name.length <= room ? name : `${name.slice(0, room - 1)}…`;
}
