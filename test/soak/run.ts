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
  /** Of full load. */
  readonly seconds: number;
  readonly clients: number;
}

export interface SoakReport {
  /** Before the first request. */
  readonly fresh: Usage;
  /** After the warm-up: what is compiled, cached and pooled is there. */
  readonly warm: Usage;
  /** After the load, when all is quiet. */
  readonly quiet: Usage;
  readonly fates: Partial<Record<Fate, number>>;
  readonly writes: number;
  readonly writesPerSecond: number;
  /** What is wrong, a line each; empty when all is well. */
  readonly problems: readonly string[];
}

/** Of the load; it is not counted. */
const WARM_UP_SHARE = 0.25;
/** Until idle connections and what the gateway has given up are gone. */
const QUIET_MS = 15_000;
const POLL_MS = 100;
/** The gateway's deadline, so that the Study API's silence is worth many calls. */
const DEADLINE_MS = 1_000;
/**
 * What the heap may have grown by, in bytes; code that is compiled late takes one to two MiB. A leak of 1 KB a
 * write shows in the few seconds of the test, one of 100 bytes in a minute.
 */
const HEAP_MARGIN = 3 * 2 ** 20;
/** The same of the whole process, whose allocators keep what was freed. */
const RSS_MARGIN = 96 * 2 ** 20;

/** One client in eight hangs up: sometimes in the middle of its request, sometimes in the middle of the call. */
function toPatience(count: number): Patience {
  if (count % 8 !== 0) return 'endless';
  return count % 24 === 0 ? 'half' : count % 17;
}

/** Runs the built program in front of a Study API that misbehaves, and compares it with its beginning. */
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

/** The usage once nothing is left over, or after a while all the same. */
async function waitForQuiet(program: Program, fresh: Usage): Promise<Usage> {
  const end = performance.now() + QUIET_MS;
  for (;;) {
    const usage = await fetchUsage(program);
    if (findLeftovers(fresh, usage).length === 0 || performance.now() > end) return usage;
    await sleep(POLL_MS);
  }
}
