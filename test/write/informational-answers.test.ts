import { describe, expect, it } from 'vitest';
import { toHead } from '../support/faults.js';
import { startTestGateway } from '../support/gateway.js';
import { startLedger, type Arrival } from '../support/ledger.js';
import { operations, run } from '../support/operations.js';
import { wholeStudy } from '../support/studies.js';

const description = 'Why?';

/** Returns a server that stores the write, and then sends these bytes before its answer. */
function answerAfter(bytes: string) {
  return {
    onBody: ({ socket, store }: Arrival) => {
      const study = JSON.stringify(store());
      const headers = ['content-type: application/json', `content-length: ${study.length}`];
      socket.write(bytes + toHead('200 OK', headers, study));
    },
  };
}

describe.each(operations.filter(({ isRead }) => !isRead))('$field', (operation) => {
  // undici takes a 100 Continue that it has not asked for, and a 101, for a broken connection.
  it.each([
    ['100 Continue', toHead('100 Continue')],
    [
      '101 Switching Protocols',
      toHead('101 Switching Protocols', ['upgrade: x', 'connection: upgrade']),
    ],
  ])('is UNKNOWN, and sent once, when %s comes before the answer', async (_, bytes) => {
    const { url, arrived, count } = await startLedger(answerAfter(bytes));
    const gateway = await startTestGateway({ studyApiUrl: url });

    const { body, requestId } = await run(gateway, operation);

    const extensions = {
      code: 'UPSTREAM_UNAVAILABLE',
      outcome: 'UNKNOWN',
      retryable: false,
      requestId,
    };
    expect(body).toMatchObject({ data: { [operation.field]: null }, errors: [{ extensions }] });
    expect(arrived).toEqual([operation.request]);
    expect(count(description)).toBe(1);
  });

  it.each([['102 and 103', toHead('102 Processing') + toHead('103 Early Hints', ['link: </a>'])]])(
    'is answered by the study when %s comes before the answer',
    async (_, bytes) => {
      const { url, arrived, count } = await startLedger(answerAfter(bytes));
      const gateway = await startTestGateway({ studyApiUrl: url });

      const { body } = await run(gateway, operation);

      const study = { ...wholeStudy, id: expect.any(String), description };
      expect(body).toEqual({ data: { [operation.field]: study } });
      expect(arrived).toEqual([operation.request]);
      expect(count(description)).toBe(1);
    },
  );
});
