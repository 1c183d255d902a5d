import { expect, it } from 'vitest';
import { allowedAnswers, dearCreates, dearPages } from '../support/dear-answers.js';
import { toPostInit } from '../support/post.js';
import { startReadyProgram } from '../support/process.js';
import { measureCost } from '../support/process-costs.js';
import { startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

/** Maximum number of runs. The fastest run counts: other work slows down a run, and V8 compiles in the first ones. */
const MAX_RUNS = 20;
const MS_PER_ANSWER = 50;
const MS_PER_MIB = 50;
const MIB = 1024 * 1024;

// `npm run costs` measures the same answers beside plain Apollo.
it.runIf(process.platform === 'linux')(
  'costs at most 50 ms of CPU, and 50 ms for each MiB of an answer of the Study API',
  { timeout: 60_000 },
  async () => {
    let answer = JSON.stringify(wholeStudy);
    const api = await startStudyApi((response) => void response.end(answer));
    const { child, url } = await startReadyProgram({
      // An answer that cannot be read must not open the circuit breaker for the next one.
      env: { STUDY_API_URL: api.url, STUDY_API_CIRCUIT_OPEN_MS: '1' },
    });
    let asked = 0;
    const ask = async (operation: string): Promise<void> => {
      asked += 1;
      await (await fetch(`${url}/graphql`, toPostInit({ query: operation }))).arrayBuffer();
    };
    for (let warmUps = 0; warmUps < 50; warmUps += 1)
      await ask('mutation { createStudy(input: {}) { id } }');

    const dear: object[] = [];
    for (const { what, query, body } of [...dearCreates, ...dearPages, ...allowedAnswers]) {
      answer = body;
      const maxMs = MS_PER_ANSWER + (MS_PER_MIB * Buffer.byteLength(body)) / MIB;
      const isEnough = (best: number, runs: number): boolean => best <= maxMs || runs === MAX_RUNS;
      const { cpuMs } = await measureCost(child.pid!, isEnough, () => ask(query));
      if (cpuMs > maxMs) dear.push({ what, cpuMs, maxMs });
    }

    expect(dear).toEqual([]);
    expect(api.calls).toHaveLength(asked);
  },
);
