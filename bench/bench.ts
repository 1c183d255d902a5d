// Measures create, edit, read and page in study-gateway and in other gateways. README.md says how.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle, contenders, ours, proxy } from './contenders.ts';
import { toChart } from './lib/chart.ts';
import { endChildrenWithUs } from './lib/children.ts';
import { startLoad } from './lib/load.ts';
import { describeMachine } from './lib/machine.ts';
import { toText } from './lib/numbers.ts';
import { createPaths, measurePaths } from './lib/paths.ts';
import { compareStarts } from './lib/starts.ts';
import { startStudyApi } from './lib/study-api.ts';
import { toOwnTable, toTable } from './lib/tables.ts';

/** Port of the Study API; the ports of the gateways follow. */
const PORT = 4_840;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
});

const plan = options.quick
  ? { processes: 1, warmUpMs: 1_000, leadInMs: 100, rounds: 3, roundMs: 500 }
  : { processes: 2, warmUpMs: 1_500, leadInMs: 200, rounds: 7, roundMs: 700 };

/** The contenders to measure: all, or with `--against` two builds beside the bare proxy. */
const chosen =
  options.against === undefined
    ? contenders
    : [
        proxy,
        ours,
        {
          ...ours,
          id: 'other',
          label: options.against,
          args: [resolve(process.env['INIT_CWD'] ?? '.', options.against)],
        },
      ];

endChildrenWithUs();
const apiUrl = await startStudyApi(PORT);
const starts = options.against
  ? undefined
  : {
      dist: await compareStarts(ours, proxy, apiUrl, plan.rounds),
      bundle: await compareStarts(bundle, proxy, apiUrl, plan.rounds),
    };
const results = await measurePaths(createPaths(chosen), apiUrl, startLoad(), plan);
const table = toTable(chosen, results);
const ownTable = toOwnTable(results, starts);
console.log(`${table}\n\n${ownTable}`);

// Only a whole run of all contenders is written to files.
if (!options.quick && !options.against) {
  const date = new Date().toISOString().slice(0, 10);
  const document = new URL('../docs/performance.md', import.meta.url);
  const text = readFileSync(document, 'utf8')
    .replace(/(<!-- run -->\n\n).*/, (_, mark: string) => `${mark}${date}, ${describeMachine()}.`)
    .replace(/(<!-- table -->\n\n)(?:\|.*\n)*/, (_, mark: string) => `${mark}${table}\n`)
    .replace(/(<!-- own -->\n\n)(?:\|.*\n)*/, (_, mark: string) => `${mark}${ownTable}\n`);
  writeFileSync(document, text);
  const bars = results
    .filter(({ base }) => base.startsWith('proxy-'))
    .map(({ contender, label, timesBase, cpuUs }) => ({
      contender: chosen.find(({ id }) => id === contender)!.label,
      kind: contender === 'ours' ? 'ours' : contender === 'proxy' ? 'proxy' : 'peer',
      group: label,
      ratio: timesBase,
      text: `${toText(timesBase.median)} × (${toText(cpuUs.median)} µs)`,
    }));
  const subtitle = `beside a bare Node proxy, 64 connections, Node ${process.versions.node}, medians of ${plan.rounds} rounds with their range, ${date}`;
  writeFileSync(
    new URL('../docs/images/bench.svg', import.meta.url),
    toChart('CPU time of the gateway for one request', subtitle, bars),
  );
}
process.exit();
