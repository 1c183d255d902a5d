import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, run } from '../support/run.js';

const directory = join(root, 'packages/rest-outcome');

it('the example of payments says what became of each, and no card is charged twice', async () => {
  const output = await run(root, process.execPath, [join(directory, 'examples/payments.ts')]);

  expect(output.trim().split('\n')).toEqual([
    'a receipt, first: paid, payment-1',
    'a receipt, again: paid, payment-1',
    'a lost connection, first: UPSTREAM_UNAVAILABLE, UNKNOWN',
    'a lost connection, again: UPSTREAM_TIMEOUT, UNKNOWN',
    'half a receipt, first: UPSTREAM_CONTRACT, APPLIED, payment-3',
    'half a receipt, again: paid, payment-3',
    'a refusal, first: UPSTREAM_ERROR, REJECTED, The card is declined.',
    'a refusal, again: UPSTREAM_ERROR, REJECTED, The card is declined.',
    '3 payments are stored.',
  ]);
});
