import { expect, it } from 'vitest';
import { answerBytes } from '../support/faults.js';
import {
  run,
  study,
  toFailedResponse,
  toLedger,
  toStatusFailure,
  type Failure,
} from '../support/operations.js';
import {
  createLateApi,
  faults,
  shortMs,
  takeTurns,
  watchRefusals,
  whole,
} from '../support/retries.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const readRetried = { write: false, read: true };
const lost: Failure = {
  reason: 'The connection to the Study API ended before it answered.',
  code: 'UPSTREAM_UNAVAILABLE',
  outcome: 'UNKNOWN',
  retryable: readRetried,
};

it.each(faults)('retries the read of a study after %s', async (_, fault) => {
  const gateway = await startTestGateway({ api: takeTurns(fault, whole) });

  const answer = await run(gateway, study);

  expect(answer.body).toEqual({ data: { study: wholeStudy } });
  expect(toLedger(gateway)).toEqual([study.request, study.request]);
});

it.each([
  ['500', answerBytes('', {}, 500)],
  ['501', answerBytes('', {}, 501)],
  ['429', answerBytes('', {}, 429)],
  ['404', answerBytes('', {}, 404)],
  ['bad JSON', answerBytes('{')],
])('sends a read only once when the answer is %s', async (_, fault) => {
  const gateway = await startTestGateway({ api: takeTurns(fault, whole) });

  const answer = await run(gateway, study);

  expect(answer.body).toMatchObject({ data: { study: null } });
  expect(toLedger(gateway)).toEqual([study.request]);
});

it('does not retry a read when the deadline is too near', async () => {
  const gateway = await startTestGateway({
    api: answerBytes('', {}, 503),
    deadlineMs: shortMs,
  });

  const answer = await run(gateway, study);

  const failure = toStatusFailure(503, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried);
  expect(answer.body).toEqual(toFailedResponse(study, answer, failure));
  expect(toLedger(gateway)).toEqual([study.request]);
});

it('does not report NOT_SENT for a read that was sent, even if the connection of the last attempt was refused', async () => {
  const api = await createLateApi(({ socket }) => {
    api.stop();
    socket!.resetAndDestroy();
  });
  api.start();
  const countRefusals = watchRefusals(api.url, () => {});
  const gateway = await startTestGateway({ studyApiUrl: api.url });

  const answer = await run(gateway, study);

  expect(answer.body).toEqual(toFailedResponse(study, answer, lost));
  expect(api.arrived).toHaveLength(1);
  expect(countRefusals()).toBe(2);
});
