import { parseArgs } from 'node:util';
import { runSoak, type SoakReport } from './run.js';
import type { Usage } from './usage.js';

/** Command line options, as in `npm run soak -- --seconds 600 --clients 64`. */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '64' },
  },
});

function toRow({ heap, rss, descriptors, resources }: Usage): object {
  const { TCPSocketWrap: sockets = 0, Timeout: timers = 0 } = resources;
  const toMiB = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10;
  return {
    'heap MiB': toMiB(heap),
    'RSS MiB': toMiB(rss),
    descriptors,
    sockets,
    timers,
    others: Object.values(resources).reduce((sum, count) => sum + count, 0) - sockets - timers,
  };
}

function print({ fresh, warm, quiet, fates, writes, writesPerSecond, problems }: SoakReport): void {
  console.table({ fresh: toRow(fresh), 'warmed up': toRow(warm), 'quiet again': toRow(quiet) });
  console.log(`${writes} writes, ${writesPerSecond} a second. With those of the warm-up:`);
  console.table(fates);
  for (const problem of problems.slice(0, 20)) console.error(problem);
  console.log(
    problems.length === 0 ? 'Nothing grew, nothing was lost.' : `${problems.length} wrong`,
  );
}

const report = await runSoak({ seconds: Number(values.seconds), clients: Number(values.clients) });
print(report);
process.exitCode = report.problems.length === 0 ? 0 : 1;
