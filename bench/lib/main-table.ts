import { mkdirSync } from 'node:fs';
import { rawJson } from '../contenders.ts';
import { runNode } from './children.ts';
import type { Contender } from './contender.ts';
import { startGateway, toBody, type Gateway } from './gateway.ts';
import type { Load, Round } from './load.ts';
import { toSpread, type Spread } from './numbers.ts';
import { readPeakMb } from './proc.ts';
import type { StudyApi } from './study-api.ts';

/** Parameters of the main table. */
export interface Plan {
  readonly connections: number;
  readonly warmUpMs: number;
  readonly rounds: number;
  readonly roundMs: number;
  /** Number of timed starts of each contender. */
  readonly coldStarts: number;
}

/** The measurements of one contender. */
export interface Result {
  readonly id: string;
  readonly label: string;
  readonly cpuUs: Spread;
  /** Ratio of the contender's CPU time to the raw JSON hop's in the same round. */
  readonly timesRaw: Spread;
  readonly perSecond: Spread;
  readonly p50Ms: Spread;
  readonly p99Ms: Spread;
  readonly peakMb: number;
  readonly coldStartMs: Spread;
}

/** A contender that was left out, with the reason. */
export interface Missing {
  readonly id: string;
  readonly label: string;
  readonly reason: string;
}

export interface MainTable {
  readonly results: readonly Result[];
  readonly missing: readonly Missing[];
}

/** Measures all contenders under the same load. They take turns: A B C, A B C, … */
export async function measureAll(
  contenders: readonly Contender[],
  api: StudyApi,
  load: Load,
  plan: Plan,
): Promise<MainTable> {
  const missing: Missing[] = [];
  const coldStarts = new Map<string, number[]>();
  const gateways: Gateway[] = [];
  for (const contender of contenders) {
    const { id, label } = contender;
    try {
      if (contender.isMissing) throw new Error(contender.isMissing);
      const { gateway, times } = await start(contender, api, plan.coldStarts);
      coldStarts.set(id, times);
      gateways.push(gateway);
    } catch (error) {
      missing.push({ id, label, reason: String(error) });
      console.error(`${label} is left out. ${String(error)}`);
    }
  }

  const run = (gateway: Gateway, ms: number): Promise<Round> =>
    load.run(gateway, { bodies: [toBody(gateway.contender)], connections: plan.connections, ms });
  for (const gateway of gateways) await run(gateway, plan.warmUpMs);

  const rounds = new Map(gateways.map(({ contender }) => [contender.id, [] as Round[]]));
  for (let round = 1; round <= plan.rounds; round++) {
    console.error(`round ${round} of ${plan.rounds}`);
    for (const gateway of gateways)
      rounds.get(gateway.contender.id)!.push(await run(gateway, plan.roundMs));
  }

  const results = gateways.map(({ contender: { id, label }, program }): Result => {
    const own = rounds.get(id)!;
    const raw = rounds.get(rawJson.id) ?? own;
    return {
      id,
      label,
      cpuUs: toSpread(own.map(({ cpuUs }) => cpuUs)),
      timesRaw: toSpread(own.map(({ cpuUs }, index) => cpuUs / raw[index]!.cpuUs)),
      perSecond: toSpread(own.map(({ perSecond }) => perSecond)),
      p50Ms: toSpread(own.map(({ p50Ms }) => p50Ms)),
      p99Ms: toSpread(own.map(({ p99Ms }) => p99Ms)),
      peakMb: readPeakMb(program.pid),
      coldStartMs: toSpread(coldStarts.get(id)!),
    };
  });
  for (const { program } of gateways) await program.stop();
  return { results, missing };
}

async function start(
  contender: Contender,
  api: StudyApi,
  starts: number,
): Promise<{ gateway: Gateway; times: number[] }> {
  if (contender.prepare) {
    mkdirSync(new URL('../node_modules/.cache', import.meta.url), { recursive: true });
    await runNode(contender.prepare, { STUDY_API_URL: api.url });
  }
  const times: number[] = [];
  for (;;) {
    const gateway = await startGateway(contender, api);
    times.push(gateway.coldStartMs);
    if (times.length >= starts) return { gateway, times };
    await gateway.program.stop();
  }
}
