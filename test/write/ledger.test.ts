import { describe, expect, it } from 'vitest';
import { allDaily, everyNth } from '../support/daily.js';
import { startRefusingUrl, toHead } from '../support/faults.js';
import { ends, json, rows, storeAndCut, type Told } from './ledger-rows.fixture.js';
import { startLedger } from '../support/ledger.js';
import { operations, run, type Operation } from '../support/operations.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const writes = operations.filter(({ isRead }) => !isRead);
/** Description that the writes store. */
const description = 'Why?';

/** How often a write may have been stored, by the outcome that the client was told. */
const truths: Record<Told, readonly number[]> = {
  NOT_SENT: [0],
  REJECTED: [0],
  APPLIED: [1],
  UNKNOWN: [0, 1],
  'a study': [1],
};

async function tell(gateway: TestGateway, operation: Operation): Promise<Told> {
  const { body } = await run(gateway, operation);
  const { errors } = body as { errors?: { extensions: { outcome: Told } }[] };
  const outcomes = new Set<Told>(
    errors?.map(({ extensions }) => extensions.outcome) ?? ['a study'],
  );
  expect(outcomes.size).toBe(1);
  return [...outcomes][0]!;
}

describe.each(writes)('$field', (operation) => {
  const isFirst = operation === writes[0];

  it.each(allDaily(rows, isFirst ? rows : everyNth(3, rows)))(
    'tells $told after $when, and sends the write once',
    async ({ server, told, stored }) => {
      const { url, arrived, count } = await startLedger(server);
      const gateway = await startTestGateway({ studyApiUrl: url, deadlineMs: 250 });

      const outcome = await tell(gateway, operation);

      await expect.poll(() => count(description), { interval: 5 }).toBe(stored);
      expect({ outcome, arrived }).toEqual({
        outcome: told,
        arrived: [server.onConnection ? 'a byte' : operation.request],
      });
      expect(truths[outcome]).toContain(count(description));
    },
  );

  it('tells NOT_SENT when the connection is refused', async () => {
    const gateway = await startTestGateway({ studyApiUrl: await startRefusingUrl() });

    expect(await tell(gateway, operation)).toBe('NOT_SENT');
  });

  it.each(ends)(
    'tells the true outcome of a $how after every byte of the answer',
    async ({ end }) => {
      const body = JSON.stringify({ id: wholeStudy.id });
      const text = toHead('200 OK', [json, `content-length: ${body.length}`], body);
      const shownLength = text.length - '}'.length;

      const lengths = Array.from({ length: shownLength }, (_, index) => index + 1);
      const some = lengths.filter((bytes) => bytes % 12 === 1 || bytes >= shownLength - 1);

      for (const bytes of allDaily(lengths, some)) {
        const { url, arrived, count } = await startLedger(
          storeAndCut(end, () => text.slice(0, bytes)),
        );
        const gateway = await startTestGateway({ studyApiUrl: url });

        const outcome = await tell(gateway, operation);

        const told = bytes < shownLength ? 'UNKNOWN' : 'APPLIED';
        expect({ bytes, outcome, arrived, stored: count(description) }).toEqual({
          bytes,
          outcome: told,
          arrived: [operation.request],
          stored: 1,
        });
      }
    },
  );
});
