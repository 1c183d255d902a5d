import { describe, expect, it } from 'vitest';
import {
  createStudy,
  operations,
  run,
  toFailedResponse,
  toLedger,
  type Failure,
} from '../support/operations.js';
import {
  createLateApi,
  faults,
  shortMs,
  startDeafPort,
  takeTurns,
  watchRefusals,
  whole,
} from '../support/retries.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const writes = operations.filter(({ isRead }) => !isRead);
const retryable = { write: true, read: true };

const unreachable: Failure = {
  reason: 'The Study API cannot be reached.',
  code: 'UPSTREAM_UNAVAILABLE',
  outcome: 'NOT_SENT',
  retryable,
};

describe.each(operations)('$field', (operation) => {
  it.each([1, 2])(
    'is sent when the API accepts a connection after %i refusals',
    async (refusals) => {
      const { url, arrived, start } = await createLateApi();
      watchRefusals(url, (count) => count === refusals && start());
      const gateway = await startTestGateway({ studyApiUrl: url });

      const answer = await run(gateway, operation);

      expect(answer.body).toEqual({ data: { [operation.field]: wholeStudy } });
      expect(arrived.map(({ request }) => request)).toEqual([operation.request]);
    },
  );

  it('fails after the third refused connection', async () => {
    const { url } = await createLateApi();
    const countRefusals = watchRefusals(url, () => {});
    const gateway = await startTestGateway({ studyApiUrl: url });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, unreachable));
    expect(countRefusals()).toBe(3);
  });

  it('is not retried when the deadline is too near', async () => {
    const { url } = await createLateApi();
    const countRefusals = watchRefusals(url, () => {});
    const gateway = await startTestGateway({ studyApiUrl: url, deadlineMs: shortMs });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, unreachable));
    expect(countRefusals()).toBe(1);
  });

  it('reports NOT_SENT when no connection is made within the connect timeout', async () => {
    const { url } = await startDeafPort();
    const countRefusals = watchRefusals(url, () => {});
    const gateway = await startTestGateway({ studyApiUrl: url, connectTimeoutMs: 100 });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, unreachable));
    expect(countRefusals()).toBe(3);
  });
});

it('is never sent when the connection is made only after the deadline', async () => {
  const { url, wake, nextConnection } = await startDeafPort();
  const gateway = await startTestGateway({ studyApiUrl: url, deadlineMs: 100 });

  const answer = await run(gateway, createStudy);
  const connection = nextConnection();
  wake();

  expect(answer.body).toEqual(
    toFailedResponse(createStudy, answer, {
      ...unreachable,
      reason: 'The Study API did not answer completely within 100 ms.',
      code: 'UPSTREAM_TIMEOUT',
    }),
  );
  expect(await connection).toBe(0);
});

it('pauses for a random time between two attempts', async () => {
  const { url } = await createLateApi();
  let times: number[] = [];
  watchRefusals(url, () => times.push(performance.now()));
  const gateway = await startTestGateway({ studyApiUrl: url });
  const pauses: { first: number; second: number }[] = [];

  for (let calls = 0; calls < 12; calls += 1) {
    times = [];
    await run(gateway, createStudy);
    const [one, two, three] = times as [number, number, number];
    pauses.push({ first: two - one, second: three - two });
  }

  const firsts = pauses.map(({ first }) => first);
  const seconds = pauses.map(({ second }) => second);
  expect(Math.max(spread(firsts), spread(seconds))).toBeGreaterThan(8);
  expect(Math.max(median(firsts), median(seconds))).toBeLessThan(300);
});

/** Returns the median. The longer half is ignored, because a busy machine lengthens some pauses. */
function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;
}

/** Returns median minus minimum. */
function spread(times: readonly number[]): number {
  return median(times) - Math.min(...times);
}

describe.each(writes)('$field', (operation) => {
  it.each(faults)('is sent only once when the answer is %s', async (_, fault) => {
    const gateway = await startTestGateway({ api: takeTurns(fault, whole) });

    const answer = await run(gateway, operation);

    expect(answer.body).toMatchObject({ data: { [operation.field]: null } });
    expect(toLedger(gateway)).toEqual([operation.request]);
  });
});
