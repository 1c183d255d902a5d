// Measures the cost of one createStudy in study-gateway and in other gateways. README.md says how.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { contenders, ours, rawJson } from './contenders.ts';
import { toChart } from './lib/chart.ts';
import { endChildrenWithUs } from './lib/children.ts';
import { writeDocument } from './lib/document.ts';
import { measureGrowth } from './lib/growth.ts';
import { countInstructions } from './lib/instructions.ts';
import { startLoad } from './lib/load.ts';
import { describeMachine, readVersions } from './lib/machine.ts';
import { measureAll, type Plan } from './lib/main-table.ts';
import { toText } from './lib/numbers.ts';
import { measurePaths } from './lib/paths.ts';
import { startStudyApi } from './lib/study-api.ts';
import { addSitting } from './lib/sittings.ts';
import { toGrowthTable, toMainTable, toPathTable } from './lib/tables.ts';

/** Port of the Study API; the ports of the gateways follow. */
const PORT = 4_840;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    against: { type: 'string' },
    paths: { type: 'boolean', default: false },
    instructions: { type: 'boolean', default: false },
  },
});

const plan: Plan = options.quick
  ? { connections: 64, warmUpMs: 4_000, rounds: 5, roundMs: 1_200, coldStarts: 1 }
  : { connections: 64, warmUpMs: 10_000, rounds: 11, roundMs: 2_000, coldStarts: 5 };

function describeRun(): string {
  return `Study API answers of 1.5 kB, ${plan.connections} connections, Node ${process.versions.node}`;
}

function writeImage(name: string, image: string): void {
  const folder = new URL('../docs/images/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(name, folder), image);
}

/** Path of the other build; `undefined` without `--against`. */
const other =
  options.against === undefined
    ? undefined
    : resolve(process.env['INIT_CWD'] ?? '.', options.against);

/** Returns the contenders to measure: all, those of `--only`, or for `--against` two builds beside the bare proxy. */
function choose(): typeof contenders {
  const { only } = options;
  if (other !== undefined)
    return [rawJson, ours, { ...ours, id: 'ours-other', label: other, args: [other] }];
  return only ? contenders.filter(({ id }) => only.split(',').includes(id)) : contenders;
}

endChildrenWithUs();
if (options.instructions) {
  const api = await startStudyApi(PORT);
  const own = await countInstructions(api, '../dist/main.js', PORT + 10);
  console.log(`${toText(own)} thousand instructions for one createStudy`);
  if (other !== undefined) {
    const theirs = await countInstructions(api, other, PORT + 20);
    console.log(
      `${toText(theirs)} thousand in ${other}: this build takes ${(own / theirs).toFixed(3)} times as many`,
    );
  }
  process.exit();
}
if (options.paths) {
  const rounds = options.quick ? 3 : 7;
  const plan = { processes: 2, warmUpMs: 2_500, leadInMs: 300, rounds, roundMs: 800 };
  const startedAt = new Date();
  const results = await measurePaths(await startStudyApi(PORT), startLoad(), plan);
  console.log(toPathTable(results));
  if (options.quick) process.exit();
  const sittings = addSitting(startedAt, results);
  writeDocument();
  writeImage(
    'bench-paths.svg',
    toChart(
      'CPU time of the gateway for one request, by path',
      `${describeRun()}, ${plan.processes} processes each, medians of ${rounds} rounds with their spread, ${sittings.at(-1)!.at}`,
      // A page of 100 studies takes some 15 times the CPU of the others.
      results
        .filter(({ id }) => !id.endsWith('page'))
        .map(({ id, label, cpuUs }) => ({
          kind: id.startsWith('raw') ? 'raw' : id.startsWith('tailcall') ? 'peer' : 'ours',
          label,
          cpuUs,
        })),
    ),
  );
  process.exit();
}
if (!existsSync(new URL('node_modules', import.meta.url))) {
  console.error('Install the other gateways first: npm ci --prefix bench');
  process.exit(1);
}

const date = new Date().toISOString().slice(0, 10);
const api = await startStudyApi(PORT);
const load = startLoad();
const main = await measureAll(choose(), api, load, plan);
console.log(toMainTable(main.results));
for (const { label, reason } of main.missing) console.log(`Left out: ${label}: ${reason}`);

// Only a whole run of all contenders is written to results.json and to the chart.
const isWhole = !options.quick && !options.only && !options.against;
const growth = isWhole ? await measureGrowth(api, load) : undefined;
for (const it of growth ?? []) console.log(`\n${toGrowthTable(it)}`);

if (isWhole) {
  const machine = describeMachine();
  const versions = readVersions();
  const results = { date, machine, versions, plan, ...main, growth };
  writeFileSync(
    new URL('results.json', import.meta.url),
    `${JSON.stringify(results, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2)}\n`,
  );
  writeDocument();
  writeImage(
    'bench.svg',
    toChart(
      'CPU time of the gateway for one createStudy',
      `23 fields, ${describeRun()}, medians of ${plan.rounds} rounds with their spread, ${date}`,
      main.results.map(({ id, label, cpuUs }) => ({
        kind: id.startsWith('ours') ? 'ours' : id.startsWith('raw') ? 'raw' : 'peer',
        label,
        cpuUs,
      })),
    ),
  );
}
process.exit();
