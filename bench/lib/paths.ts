import { createHash } from 'node:crypto';
import { ours, rawJson, rawRequest, tailcall } from '../contenders.ts';
import type { Contender } from './contender.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { UNIQUE, type Load, type LoadOptions, type Round } from './load.ts';
import { toSpread, type Spread } from './numbers.ts';
import { request } from './request.ts';
import { startIssuer, startRedis, type Issuer } from './services.ts';
import type { StudyApi } from './study-api.ts';
import { createDocument, document, fields, input, token } from './study.ts';

/** One way through the gateway. */
interface Path {
  readonly id: string;
  readonly label: string;
  /** Id of the path that the cost is compared with. */
  readonly base?: string;
  readonly contender: Contender;
  readonly request: Pick<LoadOptions, 'bodies' | 'token' | 'status' | 'hasOwnAnswers'>;
  /** Code of the error in every answer. Default: the answers have no error. */
  readonly code?: string;
}

export interface PathResult {
  readonly id: string;
  readonly label: string;
  readonly cpuUs: Spread;
  readonly base: string | undefined;
  /** Ratio to the CPU time of the base in the same round. */
  readonly timesBase: Spread | undefined;
  /** CPU time beyond that of the base in the same round. */
  readonly moreUs: Spread | undefined;
  readonly p99Ms: Spread;
  /** Ratio to the p99 of the base in the same round. */
  readonly timesBaseP99: Spread | undefined;
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
const REDIS_PORT = 4_838;
/** Any free port. */
const METRICS_PORT = '0';
const API_KEY = 'bench-api-key';

const id = '0b9d1f2a-6d55-4a6e-9d5c-0c8f5d1f7a11';
const pick = ['id', 'description', 'status'];
const selection = pick.join(' ');

interface Operation {
  readonly query: string;
  readonly variables?: object;
  /** The REST call, for the bare proxy. */
  readonly extensions?: object;
}

const create: Operation = { query: document, variables: { input } };
const edit: Operation = {
  query: `mutation EditStudy($id: UUID!, $input: EditStudyInput!) { editStudy(id: $id, input: $input) { ${selection} } }`,
  variables: { id, input: { description: 'Why do people give up?', status: 'done' } },
  extensions: { field: 'editStudy', method: 'PATCH', path: `/studies/${id}`, pick },
};
const read: Operation = {
  query: `query Study($id: UUID!) { study(id: $id) { ${selection} } }`,
  variables: { id },
  extensions: { field: 'study', method: 'GET', path: `/studies/${id}`, pick },
};

const list: Operation = {
  query: `query Studies { studies(size: 100) { items { ${fields} } page size total pages } }`,
  extensions: { field: 'studies', method: 'GET', path: '/studies?size=100' },
};

const send = (operation: Operation, more: Partial<Path['request']> = {}): Path['request'] => ({
  bodies: [JSON.stringify(operation)],
  ...more,
});

const keyed: Operation = {
  query: document
    .replace('$input:', '$key: String, $input:')
    .replace('(input:', '(idempotencyKey: $key, input:'),
  variables: { input, key: UNIQUE },
};

/**
 * Measures paths in rotation, after the warm-up of each.
 *
 * @param only ids of the paths, with the ids of their bases. Default: all paths
 */
export async function measurePaths(
  api: StudyApi,
  load: Load,
  plan: PathPlan,
  only?: readonly string[],
): Promise<PathResult[]> {
  const issuer = await startIssuer();
  const redis = only ? undefined : await startRedis(REDIS_PORT);
  if (!only && !redis) console.error('redis-server is not installed: its path is left out');
  const hasTailcall = !only && (await canStart(tailcall, api));
  const paths = createPaths(api, issuer, redis?.url).filter(({ id, contender }) =>
    only ? only.includes(id) : contender !== tailcall || hasTailcall,
  );
  const gateways = new Map<Contender, Gateway[]>();
  for (const { contender, request } of paths) {
    const started = gateways.get(contender) ?? [];
    gateways.set(contender, started);
    while (started.length < plan.processes)
      started.push(await startGateway(contender, api, {}, undefined, request.token ?? token));
  }

  const run = (path: Path, gateway: Gateway, ms: number): Promise<Round> =>
    load.run(gateway, { ...path.request, connections: CONNECTIONS, ms });
  for (const path of paths)
    for (const gateway of gateways.get(path.contender)!) {
      await check(path, gateway);
      await run(path, gateway, plan.warmUpMs);
    }
  const rounds = new Map(paths.map((path) => [path.id, [] as Round[]]));
  for (let round = 1; round <= plan.rounds; round++) {
    if (!only) console.error(`round ${round} of ${plan.rounds}`);
    for (const path of paths) {
      const parts: Round[] = [];
      for (const gateway of gateways.get(path.contender)!) {
        await run(path, gateway, plan.leadInMs);
        parts.push(await run(path, gateway, plan.roundMs / plan.processes));
      }
      rounds.get(path.id)!.push(toMedian(parts));
    }
  }

  for (const { program } of [...gateways.values()].flat()) await program.stop();
  redis?.stop();
  issuer.stop();
  return paths.map(({ id: name, label, base }) => toResult(name, label, base, rounds));
}

/** Tries a contender that needs the packages of `bench/`, and prints why it cannot start. */
async function canStart(contender: Contender, api: StudyApi): Promise<boolean> {
  try {
    const { program } = await startGateway(contender, api);
    await program.stop();
    return true;
  } catch (error) {
    console.error(`${contender.label} is left out. ${String(error)}`);
    return false;
  }
}

/** All paths. Those that share a contender share its processes. */
function createPaths(api: StudyApi, issuer: Issuer, redisUrl: string | undefined): readonly Path[] {
  const variant = (env: Readonly<Record<string, string>>): Contender => ({ ...ours, env });
  const service = { AUTH_MODE: 'service', STUDY_API_TOKEN: token };
  const tracing = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${api.url}/v1/traces`,
    OTEL_TRACES_SAMPLER: 'traceidratio',
  };
  const failed = { hasOwnAnswers: true, status: 200 };
  const refused = { hasOwnAnswers: true, status: 400 };
  const onCreate = (contender: Contender, more: Partial<Path['request']> = {}) => ({
    contender,
    request: send(create, more),
    base: 'create',
  });
  // The processes of the other paths serve many kinds of requests, and longer: V8 has optimized more of their code.
  const alone = (env: Readonly<Record<string, string>>, more: Partial<Path['request']> = {}) => ({
    ...onCreate(variant(env), more),
    base: 'create-alone',
  });
  const usual = { contender: ours };
  /** The same request at the bare proxy, at study-gateway, and at Tailcall, which has no list. */
  const beside = (name: string, label: string, operation: Operation): readonly Path[] => {
    const request = send(operation);
    const base = `raw-${name}`;
    const ofTailcall = { id: `tailcall-${name}`, label: `Tailcall: ${label}`, contender: tailcall };
    return [
      { id: base, label: `bare proxy: ${label}`, contender: rawRequest, request },
      { id: name, label, ...usual, request, base },
      ...(operation === list ? [] : [{ ...ofTailcall, request, base }]),
    ];
  };
  return [
    ...beside('create', 'create, 23 fields', create),
    {
      id: 'raw-dispatch',
      label: 'bare proxy by dispatch: create, 23 fields',
      contender: rawJson,
      base: 'raw-create',
      request: send(create),
    },
    ...beside('edit', 'edit, 3 fields', edit),
    ...beside('read', 'read, 3 fields', read),
    ...beside('page', 'a page of 100 studies, 23 fields', list),
    {
      id: '401',
      label: '401 from the Study API',
      ...onCreate(ours, { ...failed, token: 'refuse-401' }),
      code: 'UNAUTHENTICATED',
    },
    {
      id: '422',
      label: '422 from the Study API',
      ...onCreate(ours, { ...failed, token: 'refuse-422' }),
      code: 'BAD_USER_INPUT',
    },
    {
      id: 'no-token',
      label: 'refused: no token',
      ...onCreate(ours, { ...failed, token: null }),
      code: 'UNAUTHENTICATED',
    },
    {
      id: 'bad-variables',
      label: 'refused: a variable of the wrong type',
      ...usual,
      base: 'create',
      request: send({ ...create, variables: { input: { ...input, projectId: 'x' } } }, refused),
      code: 'BAD_USER_INPUT',
    },
    {
      id: 'unknown-field',
      label: 'refused: an unknown field',
      ...usual,
      base: 'create',
      request: send({ ...create, query: document.replace('planId', 'planetId') }, refused),
      code: 'GRAPHQL_VALIDATION_FAILED',
    },
    {
      id: 'over-limit',
      label: 'refused: a document over a limit',
      ...usual,
      base: 'create',
      request: send({ ...create, query: createDocument(20) }, refused),
      code: 'GRAPHQL_VALIDATION_FAILED',
    },
    {
      id: 'create-alone',
      label: 'create, in processes of its own',
      ...alone({}),
      base: 'create',
    },
    {
      id: 'jwt',
      label: 'service mode, RS256 JWT seen before',
      ...alone({ ...service, ...issuer.env }, { token: issuer.token }),
    },
    {
      id: 'api-key',
      label: 'service mode, API key',
      ...alone(
        {
          ...service,
          API_KEYS: `bench:${createHash('sha256').update(API_KEY).digest('hex')}`,
        },
        { token: API_KEY },
      ),
    },
    {
      id: 'key-memory',
      label: 'idempotency key, in memory',
      ...alone({}),
      request: send(keyed),
    },
    ...(redisUrl === undefined
      ? []
      : [
          {
            id: 'key-redis',
            label: 'idempotency key, in Redis',
            ...alone({ REDIS_URL: redisUrl }),
            request: send(keyed),
          },
        ]),
    { id: 'metrics', label: 'metrics', ...alone({ METRICS_PORT }) },
    {
      id: 'traces-1',
      label: 'traces, 1 % recorded',
      ...alone({ ...tracing, OTEL_TRACES_SAMPLER_ARG: '0.01' }),
    },
    {
      id: 'traces-10',
      label: 'traces, 10 % recorded',
      ...alone({ ...tracing, OTEL_TRACES_SAMPLER_ARG: '0.1' }),
    },
    {
      id: 'traces-100',
      label: 'traces, all recorded',
      ...alone({ ...tracing, OTEL_TRACES_SAMPLER_ARG: '1' }),
    },
  ];
}

/** @throws Error unless a path's answer has the path's status and error */
async function check(path: Path, { url }: Gateway): Promise<void> {
  const { bodies, token, status = 200 } = path.request;
  const answer = await request('POST', url, bodies[0], token);
  const code: unknown = JSON.parse(answer.text).errors?.[0].extensions.code;
  if (answer.status !== status || code !== path.code)
    throw new Error(`${path.id} is answered with ${answer.status}: ${answer.text}`);
}

/** Returns the medians of the rounds of one gateway's processes. */
function toMedian(parts: readonly Round[]): Round {
  const median = (read: (round: Round) => number): number => toSpread(parts.map(read)).median;
  return {
    cpuUs: median(({ cpuUs }) => cpuUs),
    perSecond: median(({ perSecond }) => perSecond),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
  };
}

function toResult(
  name: string,
  label: string,
  base: string | undefined,
  rounds: ReadonlyMap<string, readonly Round[]>,
): PathResult {
  const own = rounds.get(name)!;
  const beside = base === undefined ? undefined : rounds.get(base)!;
  const compare = (with_: (ours: Round, theirs: Round) => number): Spread | undefined =>
    beside && toSpread(own.map((it, round) => with_(it, beside[round]!)));
  return {
    id: name,
    label,
    cpuUs: toSpread(own.map(({ cpuUs }) => cpuUs)),
    base,
    timesBase: compare((one, other) => one.cpuUs / other.cpuUs),
    moreUs: compare((one, other) => one.cpuUs - other.cpuUs),
    p99Ms: toSpread(own.map(({ p99Ms }) => p99Ms)),
    timesBaseP99: compare((one, other) => one.p99Ms / other.p99Ms),
  };
}
