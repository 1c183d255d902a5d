import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnProgram, waitForUrl, type Program } from '../support/program.js';
import { write, type Fate, type Patience } from './client.js';
import { createFaultMix } from './faults.js';
import { startLoad } from './load.js';
import { countFates, findContradictions } from './reconcile.js';
import { startStudyLedger } from './study-ledger.js';
import { fetchUsage, findLeftovers, probeArgs, type Usage } from './usage.js';

export interface SoakOptions {
  /** Duration of the full load, without the warm-up. */
  readonly seconds: number;
  readonly clients: number;
}

export interface SoakReport {
  /** Resource usage before the first request. */
  readonly fresh: Usage;
  /** Resource usage after the warm-up, when code is compiled and caches and pools are filled. */
  readonly warm: Usage;
  /** Resource usage after the load, when no request is in progress. */
  readonly quiet: Usage;
  readonly fates: Partial<Record<Fate, number>>;
  readonly writes: number;
  readonly writesPerSecond: number;
  /** A line for each problem found; empty if there is none. */
  readonly problems: readonly string[];
}

/** Duration of the warm-up as a share of `seconds`. Writes of the warm-up do not count in `writes`. */
const WARM_UP_SHARE = 0.25;
/** Timeout for idle connections to close and abandoned calls to end after the load. */
const QUIET_MS = 15_000;
const POLL_MS = 100;
/** The gateway's deadline for a call. Short, so that many calls of the Study API can hang during the test. */
const DEADLINE_MS = 1_000;
/**
 * Maximum growth of the heap in bytes; late compilation takes one to two MiB. The few seconds of the test detect a leak
 * of 1 KB per write, a minute detects 100 bytes per write.
 */
const HEAP_MARGIN = 3 * 2 ** 20;
/** Maximum growth of the resident set in bytes. Larger, because allocators keep freed memory. */
const RSS_MARGIN = 96 * 2 ** 20;

/** Makes one client in eight disconnect, in the middle of its request or while the gateway calls the Study API. */
function toPatience(count: number): Patience {
  if (count % 8 !== 0) return 'endless';
  return count % 24 === 0 ? 'half' : count % 17;
}

/** Runs the built program under load with a misbehaving Study API, and compares resource usage before and after. */
export async function runSoak({ seconds, clients }: SoakOptions): Promise<SoakReport> {
  const studyApi = await startStudyLedger(createFaultMix({ hangs: true }));
  const cwd = mkdtempSync(join(tmpdir(), 'study-gateway-soak-'));
  const program = spawnProgram({
    cwd,
    nodeArgs: probeArgs,
    hasChannel: true,
    maxOutput: 65_536,
    env: { STUDY_API_URL: studyApi.url, STUDY_API_TIMEOUT_MS: String(DEADLINE_MS) },
  });
  try {
    const url = await waitForUrl(program);
    const fresh = await fetchUsage(program);
    const fates = new Map<string, Fate>();
    const loadFor = async (ms: number): Promise<void> => {
      const load = startLoad({ url, clients, toPatience });
      await sleep(ms);
      await load.stop();
      for (const [description, fate] of load.fates) fates.set(description, fate);
    };

    await loadFor(seconds * 1000 * WARM_UP_SHARE);
    const warm = await fetchUsage(program);
    const warmWrites = fates.size;
    await loadFor(seconds * 1000);
    const quiet = await waitForQuiet(program, fresh);
    fates.set('last', await write({ url, agent: false }, 'last'));
    program.kill('SIGTERM');
    const { code, stderr } = await program.exit;

    const problems = [
      ...findContradictions(fates, studyApi.stored),
      ...findLeftovers(fresh, quiet).map((what) => `left over: ${what}`),
    ];
    const grownBy = (kind: 'heap' | 'rss'): number => quiet[kind] - warm[kind];
    if (grownBy('heap') > HEAP_MARGIN) problems.push(`the heap grew by ${grownBy('heap')} bytes`);
    if (grownBy('rss') > RSS_MARGIN) problems.push(`the process grew by ${grownBy('rss')} bytes`);
    if (code !== 0 || stderr !== '') problems.push(`it ended with ${code}: ${stderr}`);
    const writes = fates.size - warmWrites;
    const writesPerSecond = Math.round(writes / seconds);
    return { fresh, warm, quiet, fates: countFates(fates), writes, writesPerSecond, problems };
  } finally {
    program.kill('SIGKILL');
    await program.exit;
    await studyApi.close();
    rmSync(cwd, { recursive: true });
  }
}

/** Returns the resource usage as soon as no handle is left over, or after `QUIET_MS` at the latest. */
async function waitForQuiet(program: Program, fresh: Usage): Promise<Usage> {
  const end = performance.now() + QUIET_MS;
  for (;;) {
    const usage = await fetchUsage(program);
    if (findLeftovers(fresh, usage).length === 0 || performance.now() > end) return usage;
    await sleep(POLL_MS);
  }
}
