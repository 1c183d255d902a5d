import { knowsVariable, ours, rawJson } from '../contenders.ts';
import { startGateway, toBody, type Gateway } from './gateway.ts';
import type { Load, Round } from './load.ts';
import { toSpread, type Spread } from './numbers.ts';
import type { StudyApi } from './study-api.ts';
import { createDocument, document, USUAL_BYTES } from './study.ts';

/** A series of measurements in which one parameter grows. An omitted `to…` function keeps the main table's value. */
interface Growth {
  readonly id: string;
  readonly title: string;
  readonly points: readonly number[];
  readonly toApi?: (point: number) => { bytes?: number; delayMs?: number };
  readonly toDocuments?: (point: number) => readonly string[];
  readonly toConnections?: (point: number) => number;
  /** Whether to measure the bare proxy beside study-gateway. */
  readonly isBesideRaw: boolean;
}

const growths: readonly Growth[] = [
  {
    id: 'answer-bytes',
    title: 'bytes of the answer, 8 connections',
    points: [1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000, 4_000_000],
    toApi: (bytes) => ({ bytes }),
    toConnections: () => 8,
    isBesideRaw: true,
  },
  {
    id: 'mutations',
    title: 'mutations of one operation',
    points: [1, 2, 3, 4, 5],
    toDocuments: (mutations) => [createDocument(mutations)],
    isBesideRaw: false,
  },
  {
    id: 'connections',
    title: 'connections',
    points: [1, 8, 64, 512, 4096],
    toConnections: (connections) => connections,
    isBesideRaw: true,
  },
  {
    id: 'delay-ms',
    title: 'ms that the Study API takes, 512 connections',
    points: [1, 10, 100, 1_000],
    toApi: (delayMs) => ({ delayMs }),
    toConnections: () => 512,
    isBesideRaw: true,
  },
  {
    id: 'documents',
    title: 'distinct documents, sent in turn, each of them sent before',
    points: [1, 10, 100, 1_000, 10_000],
    toDocuments: (count) =>
      Array.from({ length: count }, (_, index) =>
        document.replace('CreateStudy(', `CreateStudy${index}(`),
      ),
    isBesideRaw: false,
  },
];

export interface GrowthPoint {
  readonly point: number;
  readonly cpuUs: Spread;
  /** Ratio to the bare proxy's CPU time; `undefined` if the bare proxy is not measured. */
  readonly timesRaw: Spread | undefined;
  readonly perSecond: number;
  readonly p99Ms: number;
}

export interface GrowthResult {
  readonly id: string;
  readonly title: string;
  readonly points: readonly GrowthPoint[];
}

const CONNECTIONS = 64;
const WARM_UP_MS = 3_000;
const ROUNDS = 3;
const ROUND_MS = 1_500;
/** Time in ms to allow for the first request with each document. */
const FIRST_TIME_MS = 1;
/** Raises the limits that 4,096 connections would exceed. */
const env = { STUDY_API_MAX_CALLS: '8192', STUDY_API_MAX_QUEUE: '8192' };

/** Measures how the cost of a request grows with each parameter of `growths`, and with the number of processes. */
export async function measureGrowth(api: StudyApi, load: Load): Promise<GrowthResult[]> {
  const gateway = await startGateway(ours, api, env);
  const raw = await startGateway(rawJson, api);
  for (const it of [gateway, raw])
    await load.run(it, { bodies: [toBody(ours)], connections: CONNECTIONS, ms: WARM_UP_MS });

  const results: GrowthResult[] = [];
  for (const growth of growths) {
    const points: GrowthPoint[] = [];
    for (const point of growth.points) {
      console.error(`${growth.title}: ${point}`);
      await api.set(growth.toApi?.(point) ?? {});
      const { bytes = USUAL_BYTES, delayMs = 0 } = growth.toApi?.(point) ?? {};
      const options = {
        bodies: (growth.toDocuments?.(point) ?? [document]).map((it) => toBody(ours, it)),
        connections: growth.toConnections?.(point) ?? CONNECTIONS,
        // Rounds with long or slow answers last longer, to get enough answers.
        ms: ROUND_MS + 2 * delayMs + bytes / 2_000,
      };
      points.push(
        await measurePoint(point, gateway, growth.isBesideRaw ? raw : undefined, load, options),
      );
    }
    results.push({ id: growth.id, title: growth.title, points });
  }
  await api.set({});
  await gateway.program.stop();
  await raw.program.stop();
  return [...results, ...(await measureProcesses(api, load))];
}

async function measurePoint(
  point: number,
  gateway: Gateway | readonly Gateway[],
  raw: Gateway | undefined,
  load: Load,
  options: Parameters<Load['run']>[1],
): Promise<GrowthPoint> {
  // Warm-up: the gateway parses, validates and plans each document at its first request.
  const { bodies } = options;
  if (bodies.length > 1) await load.run(gateway, { ...options, ms: bodies.length * FIRST_TIME_MS });
  const own: Round[] = [];
  const beside: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await load.run(gateway, options));
    if (raw) beside.push(await load.run(raw, options));
  }
  return {
    point,
    cpuUs: toSpread(own.map(({ cpuUs }) => cpuUs)),
    timesRaw: raw && toSpread(own.map(({ cpuUs }, index) => cpuUs / beside[index]!.cpuUs)),
    perSecond: toSpread(own.map(({ perSecond }) => perSecond)).median,
    p99Ms: toSpread(own.map(({ p99Ms }) => p99Ms)).median,
  };
}

/** Measures one and two processes that share a port. */
async function measureProcesses(api: StudyApi, load: Load): Promise<GrowthResult[]> {
  if (!knowsVariable('REUSE_PORT')) {
    console.error('1 and 2 processes are left out: the gateway has no REUSE_PORT yet');
    return [];
  }
  const port = 4_850;
  const options = { bodies: [toBody(ours)], connections: CONNECTIONS, ms: WARM_UP_MS };
  const gateways: Gateway[] = [];
  const points: GrowthPoint[] = [];
  for (const point of [1, 2]) {
    gateways.push(await startGateway(ours, api, { ...env, REUSE_PORT: 'true' }, port));
    await load.run(gateways, options);
    points.push(await measurePoint(point, gateways, undefined, load, options));
  }
  for (const { program } of gateways) await program.stop();
  return [{ id: 'processes', title: 'processes on one port', points }];
}
