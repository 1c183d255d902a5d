// Measures what each dear request costs the gateway and plain Apollo: CPU and peak memory of the process. Fails if a case
// passes its bound. Linux only. Run by `npm run costs [-- --write] [-- --only <text>]`: `--write` puts the table into docs/costs.md.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { toPostInit } from '../support/post.js';
import { measureCost, type Cost } from '../support/process-costs.js';
import { spawnProgram, type Program } from '../support/program.js';
import { wholeStudy } from '../support/studies.js';
import { costCases, type CostAnswer, type CostCase } from './cases.js';

const MIB = 1024 * 1024;
const MAX_REQUEST_MS = 30;
const MAX_TIMES_PLAIN = 3;
const MS_PER_ANSWER = 50;
const MS_PER_MIB = 50;
/** Number of ordinary creates before the first case, so that V8 has compiled the request path. */
const WARM_UPS = 200;
const MIN_RUNS = 5;
const MAX_RUNS = 40;
/** A case whose first run costs plain Apollo more than this in ms is run once. */
const LONG_MS = 300;

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});

const ordinary: CostAnswer = { status: 200, body: JSON.stringify(wholeStudy) };
let answer = ordinary;
let calls = 0;
const api = createServer((call, response) => {
  calls += 1;
  call.resume().once('end', () => {
    const { status, body, type = 'application/json' } = answer;
    response.writeHead(status, { 'content-type': type }).end(body);
  });
}).listen(0, '127.0.0.1');
await once(api, 'listening');

interface Server {
  readonly program: Program;
  readonly pid: number;
  readonly url: string;
}

/** @param script path of the program. Default: the gateway */
async function start(script?: string): Promise<Server> {
  const program = spawnProgram({
    ...(script !== undefined && { script }),
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: {
      NODE_ENV: 'production',
      // The failure of one case must not open the circuit breaker for the next one.
      STUDY_API_CIRCUIT_OPEN_MS: '1',
      STUDY_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    },
    maxOutput: 10_000,
  });
  // The gateway's log line, or what plain Apollo prints.
  const [, url = ''] = await program.printed(/(?:listening|ready) at (http:\/\/[\d.:]+)/);
  const server = { program, pid: program.child.pid!, url };
  answer = ordinary;
  for (let index = 0; index < WARM_UPS; index += 1) await send(server, create, true);
  return server;
}

const create = JSON.stringify({ query: 'mutation { createStudy(input: {}) { id } }' });

/** Sends the body of a request, and discards the response. */
async function send({ url }: Server, body: string, hasToken: boolean): Promise<void> {
  const { headers } = toPostInit(body, hasToken ? {} : { authorization: '' });
  const response = await request(`${url}/graphql`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  await response.body.dump({ limit: Infinity });
}

/** Measures a case five times. A case that takes longer than `maxMs` runs until it does not, at most `maxRuns` times. */
function measure(
  server: Server,
  { request: body, answer: given = ordinary }: CostCase,
  hasToken: boolean,
  maxMs: number,
  maxRuns: number,
): Promise<Cost> {
  answer = given;
  return measureCost(
    server.pid,
    (best, runs) => runs >= (best <= maxMs ? MIN_RUNS : maxRuns),
    async () => {
      const before = calls;
      await send(server, body, hasToken);
      if (answer !== ordinary && calls === before) throw new Error('The Study API was not called.');
    },
  );
}

interface Row extends CostCase {
  readonly hasToken: boolean;
  readonly ours: Cost;
  readonly plain: Cost;
  readonly maxMs: number;
}

function toBound({ answer: given }: CostCase, hasToken: boolean, plain: Cost): number {
  if (given) return MS_PER_ANSWER + (MS_PER_MIB * Buffer.byteLength(given.body)) / MIB;
  return hasToken ? MAX_REQUEST_MS : Math.min(MAX_REQUEST_MS, MAX_TIMES_PLAIN * plain.cpuMs);
}

const gateway = await start();
const plainApollo = await start(fileURLToPath(new URL('plain-apollo.ts', import.meta.url)));
const rows: Row[] = [];
for (const one of costCases.filter(({ kind, what }) => `${kind} ${what}`.includes(options.only)))
  for (const hasToken of one.answer ? [true] : [false, true]) {
    const plain = await measure(plainApollo, one, hasToken, LONG_MS, 1);
    const maxMs = toBound(one, hasToken, plain);
    const ours = await measure(gateway, one, hasToken, maxMs, MAX_RUNS);
    rows.push({ ...one, hasToken, ours, plain, maxMs });
    console.error(toLine(rows.at(-1)!));
  }
for (const { program } of [gateway, plainApollo]) program.kill('SIGKILL');
api.close();
api.closeAllConnections();

function toLine({ kind, what, hasToken, ours, plain, maxMs }: Row): string {
  const cells = [
    kind,
    what.replaceAll('|', '\\|'),
    hasToken ? 'yes' : 'no',
    ours.cpuMs.toFixed(1),
    plain.cpuMs.toFixed(1),
    maxMs.toFixed(1),
    ours.peakMib.toFixed(0),
    plain.peakMib.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

const table = [
  '| Kind | What | Token | CPU ms | CPU ms of plain Apollo | Bound (CPU ms) | Peak MiB | Peak MiB of plain Apollo |',
  '| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |',
  ...rows.map(toLine),
].join('\n');
console.log(table);
const dear = rows.filter(({ ours, maxMs }) => ours.cpuMs > maxMs);
console.log(`\n${rows.length} rows of ${costCases.length} cases, ${dear.length} over their bound.`);
for (const row of dear) console.log(toLine(row));
const introduction = `# Dear requests

What a request costs at its limits: CPU time and peak memory of the gateway's process, beside those of plain Apollo Server with the same SDL, whose
resolvers make one REST call each, for requests and answers with the same bytes. \`npm run costs -- --write\` measures each row in the built program and writes this table. The bound is 30 ms for a
request; without a token it is at most 3 times plain Apollo's CPU time too, whichever is lower. After an answer of the Study API, it is 50 ms plus 50 ms for each MiB. The peak is that of a process
that has served the rows above. [Configuration](configuration.md#bounds-on-the-cost-of-a-request) lists the bounds.
`;
const document = new URL('../../docs/costs.md', import.meta.url);
if (options.write) writeFileSync(document, `${introduction}\n${table}\n`);
process.exitCode = dear.length === 0 ? 0 : 1;
