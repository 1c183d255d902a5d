// A guard for CI: fails when a request costs too much CPU. Runs for about half a minute, without the packages of bench/.
// Each path and its base take turns, so that a slow machine slows both, and the guard checks their ratio.
import { endChildrenWithUs } from './lib/children.ts';
import { startLoad } from './lib/load.ts';
import { toText } from './lib/numbers.ts';
import { measurePaths } from './lib/paths.ts';
import { startStudyApi } from './lib/study-api.ts';

/**
 * Maximum ratios of a path's CPU time per request to that of its base: the raw hop for a create and a read, our own
 * create for an error. Usual ratios are 1.5 to 1.9, and 1.1 to 1.3 for the error: the guard fails when a cost doubles, but
 * not because a machine is noisy.
 */
const BOUNDS: Readonly<Record<string, number>> = { create: 2.7, read: 2.7, '422': 2.1 };
const PLAN = { processes: 1, leadInMs: 100, warmUpMs: 1_500, rounds: 11, roundMs: 400 };
/** Port of the Study API; the ports of the gateways follow. */
const PORT = 4_840;

endChildrenWithUs();
const ids = ['raw-create', 'raw-read', ...Object.keys(BOUNDS)];
const results = await measurePaths(await startStudyApi(PORT), startLoad(), PLAN, ids);

let isWithin = true;
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
