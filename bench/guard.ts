// A guard for CI: fails when a request costs too much CPU, or when the image's application starts too slowly or is too
// large. Runs for about 40 s, without the packages of bench/. Each path and its base take turns, and so do the starts: a
// slow machine slows both, and the guard checks their ratio.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, ours, proxy } from './contenders.ts';
import { endChildrenWithUs } from './lib/children.ts';
import { startLoad } from './lib/load.ts';
import { toText } from './lib/numbers.ts';
import { createPaths, measurePaths } from './lib/paths.ts';
import { compareStarts } from './lib/starts.ts';
import { startStudyApi } from './lib/study-api.ts';

/**
 * Maximum ratios of a path's CPU time per request to that of its base: the bare proxy, or our own create for an error. 25 %
 * above the medians that this script has measured.
 */
const BOUNDS: Readonly<Record<string, number>> = {
  'ours-create': 2.6,
  'ours-edit': 3,
  'ours-read': 2.7,
  'ours-page': 2.2,
  'ours-422': 1.8,
};
const PLAN = { processes: 1, leadInMs: 100, warmUpMs: 1_200, rounds: 9, roundMs: 350 };
/** Maximum ratio of the time until the bundle's first answer to that of the bare proxy. */
const START_BOUND = 2.5;
const STARTS = 9;
/** Maximum size of the bundle, with the explorer's files, in MB. */
const SIZE_BOUND = 10.5;
/** Port of the Study API; the ports of the gateways follow. */
const PORT = 4_840;

endChildrenWithUs();
const apiUrl = await startStudyApi(PORT);
const start = await compareStarts(bundle, proxy, apiUrl, STARTS);
const paths = createPaths([proxy, ours]).filter(
  ({ id }) => id in BOUNDS || id.startsWith('proxy-'),
);
const results = await measurePaths(paths, apiUrl, startLoad(), PLAN);

const files = ['bundle', 'dist/explorer'].flatMap((folder) => {
  const place = join(import.meta.dirname, '..', folder);
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' });
  return names.map((name) => statSync(join(place, name))).filter((file) => file.isFile());
});
const size = files.reduce((sum, file) => sum + file.size, 0) / 1e6;

let isWithin = start.median <= START_BOUND && size <= SIZE_BOUND;
console.log(
  `start of the bundle: ${toText(start.median)} × the time of the ${proxy.label} ` +
    `(${toText(start.min)}–${toText(start.max)}); the bound is ${START_BOUND}.\n` +
    `size of the bundle: ${toText(size)} MB; the bound is ${SIZE_BOUND}.`,
);
for (const { id, label, base, timesBase } of results) {
  const bound = BOUNDS[id];
  if (bound === undefined) continue;
  const { median, min, max } = timesBase;
  isWithin &&= median <= bound;
  console.log(
    `${label}: ${toText(median)} × the CPU time of ${base} (${toText(min)}–${toText(max)}); ` +
      `the bound is ${bound}: ${median <= bound ? 'fine' : 'too much'}.`,
  );
}
process.exit(isWithin ? 0 : 1);
