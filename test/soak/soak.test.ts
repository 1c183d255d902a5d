import { expect, it } from 'vitest';
import { runSoak } from './run.js';

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
