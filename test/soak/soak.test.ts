import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { allDaily, daily } from '../support/daily.js';
import { startLedger } from '../support/ledger.js';
import { toPostInit } from '../support/post.js';
import { startReadyProgram } from '../support/process.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { write, type Fate, type Patience } from './client.js';
import { createFaultMix } from './faults.js';
import { startLoad } from './load.js';
import { countFates, findContradictions } from './reconcile.js';
import { fetchUsage, findLeftovers, probeArgs } from './usage.js';

vi.setConfig({ testTimeout: 1_200_000 });

/** Duration of the full load. A quarter of it before compiles code, and fills caches and pools. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? allDaily(60, 4));
/** Timeout for idle connections to close and abandoned calls to end after the load. */
const QUIET_MS = 15_000;
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

const start = (env: Record<string, string>) =>
  startReadyProgram({ nodeArgs: probeArgs, hasChannel: true, maxOutput: 65_536, env });

it('uses no more memory and handles after a full load with faults than before, and reports every write truthfully', async () => {
  const studyApi = await startLedger({ onBody: createFaultMix({ hangs: true }) });
  // A short deadline, so that many calls of the Study API can hang during the test.
  const env = { STUDY_API_URL: studyApi.url, STUDY_API_TIMEOUT_MS: '1000' };
  const program = await start(env);
  const fresh = await fetchUsage(program);
  const fates = new Map<string, Fate>();
  const loadFor = async (seconds: number): Promise<void> => {
    const load = startLoad({ url: program.url, clients: 64, toPatience });
    await sleep(seconds * 1_000);
    await load.stop();
    for (const [description, fate] of load.fates) fates.set(description, fate);
  };

  await loadFor(SECONDS / 4);
  const warm = await fetchUsage(program);
  await loadFor(SECONDS);
  const leftovers = async () => findLeftovers(fresh, await fetchUsage(program));
  await expect.poll(leftovers, { interval: 100, timeout: QUIET_MS }).toEqual([]);
  const quiet = await fetchUsage(program);
  fates.set('last', await write({ url: program.url, agent: false }, 'last'));
  program.kill('SIGTERM');

  expect(await program.exit).toMatchObject({ code: 0, stderr: '' });
  expect(findContradictions(fates, studyApi.stored)).toEqual([]);
  expect(quiet.heap - warm.heap).toBeLessThan(HEAP_MARGIN);
  expect(quiet.rss - warm.rss).toBeLessThan(RSS_MARGIN);
  expect(countFates(fates)).toEqual({
    SUCCESS: expect.any(Number),
    REJECTED: expect.any(Number),
    APPLIED: expect.any(Number),
    UNKNOWN: expect.any(Number),
    LEFT: expect.any(Number),
    LEFT_EARLY: expect.any(Number),
  });
});

daily(() => {
  it('uses no more heap after 20,000 distinct documents than after 10,000, with a token and without', async () => {
    const api = await startStudyApi(answerJson(wholeStudy));
    const program = await start({ STUDY_API_URL: api.url });
    let next = 0;
    const send = async (last: number): Promise<void> => {
      while (next < last) {
        const n = next++;
        // Each document has new aliases and a new operation name, so that any cache of names would grow.
        const query = `mutation M${n} { a${n}: createStudy(input: {}) { b${n}: id c${n}: status progress { d${n}: total } } }`;
        const hasToken = n % 2 === 0;
        const init = toPostInit({ query }, hasToken ? {} : { authorization: '' });
        const text = await (await fetch(`${program.url}/graphql`, init)).text();
        expect(text).toContain(hasToken ? `"a${n}":{` : '"code":"UNAUTHENTICATED"');
      }
    };
    const measureAfter = async (documents: number): Promise<number> => {
      await Promise.all(Array.from({ length: 16 }, () => send(documents)));
      return (await fetchUsage(program)).heap;
    };

    const half = await measureAfter(10_000);
    const whole = await measureAfter(20_000);

    // A leak of 500 bytes per document would reach the limit.
    expect(whole - half).toBeLessThan(5_000_000);
  });
});
