// A guard for CI: fails when a request costs too much CPU, or when the image's application starts too slowly or is too
// large. Runs for about 40 s, without the packages of bench/. Each path and its base take turns, and so do the starts: a
// slow machine slows both, and the guard checks their ratio.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, rawJson } from './contenders.ts';
import { endChildrenWithUs } from './lib/children.ts';
import { startLoad } from './lib/load.ts';
import { toText } from './lib/numbers.ts';
import { measurePaths } from './lib/paths.ts';
import { compareStarts } from './lib/starts.ts';
import { startStudyApi } from './lib/study-api.ts';

/**
 * Maximum ratios of a path's CPU time per request to that of its base: the bare proxy for a create and a read, our own
 * create for an error. Usual ratios are 1.5 to 1.9, and 1.1 to 1.3 for the error: the guard fails when a cost doubles, but
 * not because a machine is noisy.
 */
const BOUNDS: Readonly<Record<string, number>> = { create: 2.7, read: 2.7, '422': 2.1 };
const PLAN = { processes: 1, leadInMs: 100, warmUpMs: 1_500, rounds: 11, roundMs: 400 };
/** Maximum ratio of the time until the bundle's first right answer to that of the bare proxy. Usual are 1.9 to 2.2. */
const START_BOUND = 2.6;
const STARTS = 11;
/** Maximum size of the bundle, with the explorer's files, in MB. */
const SIZE_BOUND = 15;
/** Port of the Study API; the ports of the gateways follow. */
const PORT = 4_840;

endChildrenWithUs();
const ids = ['raw-create', 'raw-read', ...Object.keys(BOUNDS)];
const api = await startStudyApi(PORT);
const start = await compareStarts(bundle, rawJson, api, STARTS);
const results = await measurePaths(api, startLoad(), PLAN, ids);

const files = ['bundle', 'dist/explorer'].flatMap((folder) => {
  const place = join(import.meta.dirname, '..', folder);
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' });
  return names.map((name) => statSync(join(place, name))).filter((file) => file.isFile());
});
const size = files.reduce((sum, file) => sum + file.size, 0) / 1e6;

let isWithin = start.median <= START_BOUND && size <= SIZE_BOUND;
console.log(
  `start of the bundle: ${toText(start.median)} × the time of ${rawJson.label} ` +
    `(${toText(start.min)}–${toText(start.max)}); the bound is ${START_BOUND}.\n` +
    `size of the bundle: ${toText(size)} MB; the bound is ${SIZE_BOUND}.`,
);
for (const { id, label, base, timesBase } of results) {
  const bound = BOUNDS[id];
  if (bound === undefined || !timesBase) continue;
  const { median, min, max } = timesBase;
  isWithin &&= median <= bound;
  console.log(
    `${label}: ${toText(median)} × the CPU time of ${base} (${toText(min)}–${toText(max)}); ` +
      `the bound is ${bound}: ${median <= bound ? 'fine' : 'too much'}.`,
  );
}
process.exit(isWithin ? 0 : 1);
