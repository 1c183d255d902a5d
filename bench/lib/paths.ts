import { isDeepStrictEqual } from 'node:util';
import { ours, proxy, type Contender } from '../contenders.ts';
import { startGateway, type Gateway } from './gateway.ts';
import type { Load, LoadOptions, Round } from './load.ts';
import { toSpread, type Spread } from './numbers.ts';
import { create, keyed, operations, type Operation } from './operations.ts';
import { readPeakMb } from './proc.ts';
import { request } from './request.ts';

/** One way through one gateway. */
interface Path {
  readonly id: string;
  readonly label: string;
  readonly contender: Contender;
  /** Id of the path that the cost is compared with. */
  readonly base: string;
  readonly operation: Operation;
  readonly load?: Pick<LoadOptions, 'token' | 'status' | 'hasOwnAnswers'>;
  /** Code of the error in every answer. Default: the answers have the data that the bare proxy answers with. */
  readonly code?: string;
}

export interface PathResult {
  readonly id: string;
  readonly label: string;
  /** Id of the contender. */
  readonly contender: string;
  readonly base: string;
  readonly cpuUs: Spread;
  /** Ratio to the CPU time of the base in the same round. */
  readonly timesBase: Spread;
  readonly p99Ms: Spread;
  /** Peak memory of the contender's process, which all of its paths share. */
  readonly peakMb: number;
}

export interface PathPlan {
  /** Processes of each gateway. They share its rounds, because V8 compiles each process a little differently. */
  readonly processes: number;
  readonly warmUpMs: number;
  /** Load before each round that is not measured: V8 drops code of processes that wait for their turn. */
  readonly leadInMs: number;
  readonly rounds: number;
  readonly roundMs: number;
}

const CONNECTIONS = 64;

/** Returns all paths through these contenders. The id of a path is `<contender>-<operation>`. */
export function createPaths(contenders: readonly Contender[]): readonly Path[] {
  const paths: Path[] = [];
  for (const [name, { label, operation }] of Object.entries(operations))
    for (const contender of contenders)
      if (!contender.lacks?.includes(name))
        paths.push({
          id: `${contender.id}-${name}`,
          label,
          contender,
          base: `proxy-${name}`,
          operation,
        });
  const toCreate = { contender: ours, base: 'ours-create', operation: create };
  const refused = (token: string | null) => ({ token, hasOwnAnswers: true });
  return [
    ...paths,
    {
      ...toCreate,
      id: 'ours-401',
      label: '401 from the Study API',
      load: refused('refuse-401'),
      code: 'UNAUTHENTICATED',
    },
    {
      ...toCreate,
      id: 'ours-422',
      label: '422 from the Study API',
      load: refused('refuse-422'),
      code: 'BAD_USER_INPUT',
    },
    {
      ...toCreate,
      id: 'ours-no-token',
      label: 'refused: no token',
      load: { ...refused(null), status: 401 },
      code: 'UNAUTHENTICATED',
    },
    { ...toCreate, id: 'ours-key', label: 'create with an idempotency key', operation: keyed },
  ];
}

/** Measures paths in rotation, after the warm-up of each. A contender that cannot start is left out, with its reason. */
export async function measurePaths(
  paths: readonly Path[],
  apiUrl: string,
  load: Load,
  plan: PathPlan,
): Promise<PathResult[]> {
  const gateways = new Map<Contender, Gateway[]>();
  for (const contender of new Set(paths.map((path) => path.contender))) {
    const started: Gateway[] = [];
    try {
      while (started.length < plan.processes) started.push(await startGateway(contender, apiUrl));
      gateways.set(contender, started);
    } catch (error) {
      console.error(`Left out: ${contender.label}: ${String(error)}`);
    }
  }

  const running = paths.filter(({ contender }) => gateways.has(contender));
  const run = (path: Path, gateway: Gateway, ms: number): Promise<Round> =>
    load.run(gateway, {
      ...path.load,
      bodies: [JSON.stringify(path.operation)],
      connections: CONNECTIONS,
      ms,
    });
  const expected = gateways.get(proxy)![0]!;
  for (const path of running)
    for (const gateway of gateways.get(path.contender)!) {
      await check(path, gateway, expected);
      await run(path, gateway, plan.warmUpMs);
    }
  const rounds = new Map(running.map((path) => [path.id, [] as Round[]]));
  for (let round = 0; round < plan.rounds; round++)
    for (const path of running) {
      const parts: Round[] = [];
      for (const gateway of gateways.get(path.contender)!) {
        await run(path, gateway, plan.leadInMs);
        parts.push(await run(path, gateway, plan.roundMs / plan.processes));
      }
      rounds.get(path.id)!.push(toMedian(parts));
    }

  const results = running.map(({ id, label, contender, base }): PathResult => {
    const own = rounds.get(id)!;
    const others = rounds.get(base)!;
    return {
      id,
      label,
      contender: contender.id,
      base,
      cpuUs: toSpread(own.map(({ cpuUs }) => cpuUs)),
      timesBase: toSpread(own.map(({ cpuUs }, round) => cpuUs / others[round]!.cpuUs)),
      p99Ms: toSpread(own.map(({ p99Ms }) => p99Ms)),
      peakMb: Math.max(...gateways.get(contender)!.map(({ program }) => readPeakMb(program.pid))),
    };
  });
  for (const { program } of [...gateways.values()].flat()) await program.stop();
  return results;
}

/** @throws Error unless a path's answer has the data that the bare proxy answers with, or the path's error */
async function check(
  { id, operation, load, code }: Path,
  gateway: Gateway,
  other: Gateway,
): Promise<void> {
  const body = JSON.stringify(operation);
  const { status, text } = await request('POST', gateway.url, body, load?.token);
  const { data, errors } = JSON.parse(text);
  const isRight = code
    ? errors?.[0].extensions.code === code
    : isDeepStrictEqual(data, JSON.parse((await request('POST', other.url, body)).text).data);
  if (status !== (load?.status ?? 200) || !isRight)
    throw new Error(`${id} is answered with ${status}: ${text}`);
}

/** Returns the medians of the rounds of one gateway's processes. */
function toMedian(parts: readonly Round[]): Round {
  const median = (read: (round: Round) => number): number => toSpread(parts.map(read)).median;
  return { cpuUs: median(({ cpuUs }) => cpuUs), p99Ms: median(({ p99Ms }) => p99Ms) };
}
