import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daily } from '../support/daily.js';
import { measureSlowness } from '../support/cpu.js';
import { toPostInit } from '../support/post.js';
import { startProgram } from '../support/process.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { recipe, toRequest, type Recipe } from './costs.fixture.js';

// `DAILY=1 FUZZ_SEED=… FUZZ_RUNS=…` runs the same random cases again, and prints the dearest. `dearest.json` has such cases, for
// every run.

const { FUZZ_RUNS, FUZZ_SEED } = process.env;
const kept = new URL('dearest.json', import.meta.url);
const plainApollo = fileURLToPath(new URL('plain-apollo.ts', import.meta.url));
/** Maximum number of runs. The fastest run counts: other work slows down a run. */
const MAX_RUNS = 12;
/** Shares of the largest size at which a case is run, until it is too dear: a case of quadratic cost may take minutes. */
const SHARES = [1 / 64, 1 / 16, 1 / 4, 1];

interface Found {
  readonly recipe: Recipe;
  readonly share: number;
  readonly hasToken: boolean;
  readonly cpuMs: number;
  readonly maxMs: number;
}

/** Maximum CPU time of a request, and of one without a token also as a multiple of plain Apollo's. */
const MAX_MS = 60;
const MAX_TIMES_PLAIN = 3;
/** Less than this cannot be measured on a busy machine. */
const MIN_MS = 5;

/**
 * Returns the CPU time of all threads of a process in ms. Linux only. Waits until no thread runs: Linux adds the time of a
 * thread when the thread stops.
 */
async function readCpuMs(pid: number): Promise<number> {
  while (isRunning(pid)) await setImmediate();
  const tasks = readdirSync(`/proc/${pid}/task`);
  const times = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

function isRunning(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).some((task) => {
    const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
    // The state follows the name, which stands in parentheses and may contain any character.
    return stat.slice(stat.lastIndexOf(') ') + 2).startsWith('R');
  });
}

/** Returns the least CPU time of several runs in ms. Other work slows down a run, so the cheapest counts. */
async function measureCost(
  pid: number,
  isEnough: (bestMs: number, runs: number) => boolean,
  run: () => Promise<void>,
): Promise<number> {
  let cpuMs = Infinity;
  for (let runs = 0; runs === 0 || !isEnough(cpuMs, runs); runs += 1) {
    const before = await readCpuMs(pid);
    await run();
    cpuMs = Math.min(cpuMs, (await readCpuMs(pid)) - before);
  }
  return cpuMs;
}

type Measure = (request: string, hasToken: boolean, enoughMs: number) => Promise<number>;

/** Starts a program, and returns a function that measures the CPU time of a request in ms, on an idle machine. */
async function startMeasured(maxRuns: number, script?: string) {
  const api = await startStudyApi(answerJson(wholeStudy));
  const { child, printed } = startProgram({
    ...(script !== undefined && { script }),
    // Production hides suggestions.
    env: { NODE_ENV: 'production', STUDY_API_URL: api.url },
  });
  // The gateway's log line, or what plain Apollo prints.
  const [, url] = await printed(/(?:listening|ready) at (http:\/\/[\d.:]+)/);
  const measure: Measure = async (request, hasToken, enoughMs) => {
    const slowness = measureSlowness();
    const init = toPostInit(request, hasToken ? {} : { authorization: '' });
    const isEnough = (best: number, runs: number): boolean =>
      best <= enoughMs * slowness || runs >= maxRuns;
    const cpuMs = await measureCost(child.pid!, isEnough, async () => {
      await (await fetch(`${url}/graphql`, init)).arrayBuffer();
    });
    return cpuMs / slowness;
  };
  for (const given of fc.sample(recipe, { seed: 1, numRuns: 40 }))
    await measure(toRequest(given, 1 / 64), false, MAX_MS);
  return measure;
}

/**
 * Starts the built program and plain Apollo, and returns a function that measures a recipe at growing sizes, as long as it
 * may pass its bound at the largest one.
 */
async function startMeter() {
  const measure = await startMeasured(MAX_RUNS);
  const measurePlain = await startMeasured(3, plainApollo);

  async function measureAt(given: Recipe, share: number, hasToken: boolean): Promise<Found> {
    const request = toRequest(given, share);
    const cpuMs = await measure(request, hasToken, hasToken ? MAX_MS : MIN_MS);
    const found = { recipe: given, share, hasToken, cpuMs, maxMs: MAX_MS };
    if (hasToken || cpuMs <= MIN_MS || cpuMs > MAX_MS) return found;
    const plainMs = await measurePlain(request, false, 0);
    return { ...found, maxMs: Math.max(MIN_MS, Math.min(MAX_MS, MAX_TIMES_PLAIN * plainMs)) };
  }

  return async (given: Recipe, shares: readonly number[] = SHARES): Promise<Found> => {
    const all: Found[] = [];
    for (const hasToken of [false, true])
      for (const share of shares) {
        const found = await measureAt(given, share, hasToken);
        all.push(found);
        if (isDear(found) || found.cpuMs < (MIN_MS * found.share) / 2) break;
      }
    return all.toSorted(byRatio)[0]!;
  };
}

const isDear = ({ cpuMs, maxMs }: Found): boolean => cpuMs > maxMs;
const byRatio = (one: Found, other: Found): number =>
  other.cpuMs / other.maxMs - one.cpuMs / one.maxMs;

describe.runIf(process.platform === 'linux')('the CPU time of a request at the size limits', () => {
  it('stays within its bound: kept cases', { timeout: 60_000 }, async () => {
    const measure = await startMeter();
    const recipes: readonly Recipe[] = JSON.parse(readFileSync(kept, 'utf8'));

    const found: Found[] = [];
    for (const given of recipes) found.push(await measure(given, [1]));

    expect(found.filter(isDear)).toEqual([]);
  });

  daily(() => {
    it('stays within its bound: random cases', { timeout: 3_600_000 }, async () => {
      const measure = await startMeter();
      const seed = FUZZ_SEED ? Number(FUZZ_SEED) : FUZZ_RUNS ? Date.now() : 28;
      const found: Found[] = [];
      for (const given of fc.sample(recipe, { seed, numRuns: Number(FUZZ_RUNS ?? 30) }))
        found.push(await measure(given));

      const dearest = found.toSorted(byRatio).slice(0, 8);
      for (const one of dearest) console.log(JSON.stringify(one));
      expect({ seed, dear: found.filter(isDear) }).toEqual({ seed, dear: [] });
    });
  });
});
