// Profiles the gateway under createStudy requests: draws docs/images/flame.svg, and prints each package's CPU share.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ours } from './contenders.ts';
import { endChildrenWithUs } from './lib/children.ts';
import { readProfile, sumByOwner } from './lib/cpu-profile.ts';
import { toFlameGraph } from './lib/flame-graph.ts';
import { startGateway, toBody } from './lib/gateway.ts';
import { startLoad } from './lib/load.ts';
import { toText } from './lib/numbers.ts';
import { startStudyApi } from './lib/study-api.ts';

/** Port of the Study API; the port of the gateway follows. */
const PORT = 4_840;
const CONNECTIONS = 64;
const WARM_UP_MS = 6_000;
/** Time to profile after the warm-up. */
const MS = 6_000;
/** Interval between two samples of the profiler, in µs. */
const INTERVAL_US = 200;

/** Returns the time of the clock that the profile uses, in µs. */
const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

endChildrenWithUs();
const directory = mkdtempSync(join(tmpdir(), 'study-gateway-profile-'));
process.on('exit', () => rmSync(directory, { recursive: true }));
const api = await startStudyApi(PORT);
const load = startLoad();
const { args = [] } = ours;
const profiled = [
  '--cpu-prof',
  `--cpu-prof-interval=${INTERVAL_US}`,
  `--cpu-prof-dir=${directory}`,
  ...args,
];
const gateway = await startGateway({ ...ours, args: profiled }, api);
const options = { bodies: [toBody(ours)], connections: CONNECTIONS };
await load.run(gateway, { ...options, ms: WARM_UP_MS });
const from = nowUs();
const { cpuUs } = await load.run(gateway, { ...options, ms: MS });
const to = nowUs();
const { child } = gateway.program;
const exit = once(child, 'exit');
child.kill('SIGTERM');
await exit;

const [name] = readdirSync(directory);
if (name === undefined) throw new Error('Node has written no profile');
const root = readProfile(readFileSync(join(directory, name), 'utf8'), from, to);
const sums = [...sumByOwner(root)].toSorted(([, one], [, other]) => other - one);
for (const [owner, us] of sums) {
  const share = us / root.totalUs;
  if (share >= 0.005)
    console.log(
      `${toText(share * 100).padStart(5)} %  ${toText(share * cpuUs).padStart(5)} µs  ${owner}`,
    );
}
writeFileSync(
  new URL('../docs/images/flame.svg', import.meta.url),
  toFlameGraph(
    root,
    'Where the time of createStudy goes',
    `main thread, ${CONNECTIONS} connections, Node ${process.versions.node}`,
  ),
);
process.exit();
