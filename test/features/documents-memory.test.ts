import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** MB of heap by which 10,000 further documents may differ. Kept for each of them, 500 bytes would be as much. */
const NOISE_MB = 5;

it(
  'holds no more heap after 20,000 distinct documents than after 10,000, with a token and without',
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
