import { describe, expect, it } from 'vitest';
import { createStudy, run, study, toFailedResponse, type Failure } from '../support/operations.js';
import { createLateApi, shortMs, startDeafPort, watchRefusals } from '../support/retries.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const retryable = { write: true, read: true };

const unreachable: Failure = {
  reason: 'The Study API cannot be reached.',
  code: 'UPSTREAM_UNAVAILABLE',
  outcome: 'NOT_SENT',
  retryable,
};

describe.each([createStudy, study])('$field', (operation) => {
  it('is sent when the API accepts a connection after two refusals', async () => {
    const { url, arrived, start } = await createLateApi();
    watchRefusals(url, (count) => count === 2 && start());
    const gateway = await startTestGateway({ studyApiUrl: url });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual({ data: { [operation.field]: wholeStudy } });
    expect(arrived.map(({ request }) => request)).toEqual([operation.request]);
  });

  it.each([
    { when: 'after the third refused connection', refusals: 3, options: {} },
    { when: 'at once when the deadline is near', refusals: 1, options: { deadlineMs: shortMs } },
  ])('fails $when', async ({ refusals, options }) => {
    const { url } = await createLateApi();
    const countRefusals = watchRefusals(url, () => {});
    const gateway = await startTestGateway({ studyApiUrl: url, ...options });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, unreachable));
    expect(countRefusals()).toBe(refusals);
  });
});

it('reports NOT_SENT when no connection is made within the connect timeout', async () => {
  const { url } = await startDeafPort();
  const countRefusals = watchRefusals(url, () => {});
  const gateway = await startTestGateway({ studyApiUrl: url, connectTimeoutMs: 100 });

  const answer = await run(gateway, createStudy);

  expect(answer.body).toEqual(toFailedResponse(createStudy, answer, unreachable));
  expect(countRefusals()).toBe(3);
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
