// A guard for CI: fails when a request costs too much CPU. Runs for about ten seconds, without the packages of bench/.
// study-gateway and the raw hop take turns, so that a slow machine slows both, and the guard checks their ratio.
import { ours, rawJson } from './contenders.ts';
import { endChildrenWithUs } from './lib/children.ts';
import { startGateway, toBody } from './lib/gateway.ts';
import { startLoad } from './lib/load.ts';
import { toSpread, toText } from './lib/numbers.ts';
import { startStudyApi } from './lib/study-api.ts';

/**
 * Maximum ratio of the gateway's CPU time per request to the raw hop's. Usual ratios are 1.3 to 1.8: the guard fails
 * when the cost doubles, but not because a machine is noisy.
 */
const BOUND = 2.6;
const WARM_UP_MS = 2_000;
const ROUNDS = 15;
const ROUND_MS = 500;
const CONNECTIONS = 64;
/** Port of the Study API; the ports of the gateways follow. */
const PORT = 4_840;

endChildrenWithUs();
const api = await startStudyApi(PORT);
const load = startLoad();
const raw = await startGateway(rawJson, api);
const gateway = await startGateway(ours, api);

const bodies = [toBody(ours)];
for (const it of [raw, gateway])
  await load.run(it, { bodies, connections: CONNECTIONS, ms: WARM_UP_MS });

const ratios: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const options = { bodies, connections: CONNECTIONS, ms: ROUND_MS };
  const { cpuUs } = await load.run(gateway, options);
  ratios.push(cpuUs / (await load.run(raw, options)).cpuUs);
}

const { median, min, max } = toSpread(ratios);
const isWithin = median <= BOUND;
console.log(
  `One createStudy costs ${toText(median)} × the CPU time of a raw hop (${toText(min)}–${toText(max)}); ` +
    `the bound is ${BOUND}: ${isWithin ? 'fine' : 'too much'}.`,
);
process.exit(isWithin ? 0 : 1);
