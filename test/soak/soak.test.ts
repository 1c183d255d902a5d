import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { daily } from '../support/daily.js';
import { runSoak } from './run.js';

/** Maximum growth of the heap in MB during 10,000 documents. A leak of 500 bytes per document would reach the limit. */
const NOISE_MB = 5;

it(
  'uses no more memory and handles after a full load with faults than before, and reports every write truthfully',
  { timeout: 60_000 },
  async () => {
    const { problems, fates } = await runSoak({ seconds: 4, clients: 64 });

    expect(problems).toEqual([]);
    expect(fates).toEqual({
      SUCCESS: expect.any(Number),
      REJECTED: expect.any(Number),
      APPLIED: expect.any(Number),
      UNKNOWN: expect.any(Number),
      LEFT: expect.any(Number),
      LEFT_EARLY: expect.any(Number),
    });
  },
);

daily(() => {
  it(
    'uses no more heap after 20,000 distinct documents than after 10,000, with a token and without',
    { timeout: 600_000 },
    async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--expose-gc',
        '--import',
        'tsx',
        'test/soak/documents.ts',
        '20000',
      ]);
      const [half, whole] = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { documents: number; heapMb: number });

      expect([half?.documents, whole?.documents]).toEqual([10_000, 20_000]);
      expect(whole!.heapMb - half!.heapMb).toBeLessThan(NOISE_MB);
    },
  );
});
