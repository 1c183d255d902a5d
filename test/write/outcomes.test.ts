import { describe, expect, it } from 'vitest';
import { cut, drip, stayAlive, toHead, startRefusingUrl } from '../support/faults.js';
import {
  allOperations,
  run,
  toExpectedLedger,
  toFailedResponse,
  toLedger,
  toStatusFailure,
  type Failure,
} from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { answerJson, startStudyApi } from '../support/study-api.js';

const readRetried = { write: false, read: true };

const unreachable: Failure = {
  reason: 'The Study API cannot be reached.',
  code: 'UPSTREAM_UNAVAILABLE',
  outcome: 'NOT_SENT',
  retryable: { write: true, read: true },
};
const lost: Failure = {
  reason: 'The connection to the Study API ended before it answered.',
  code: 'UPSTREAM_UNAVAILABLE',
  outcome: 'UNKNOWN',
  retryable: readRetried,
};
/** The failure when a 2xx response is cut in its body: a write is applied, and a read is worth a retry. */
const damaged: Failure = {
  reason: 'The Study API gave an answer that cannot be read.',
  code: 'UPSTREAM_CONTRACT',
  outcome: 'APPLIED',
  retryable: readRetried,
  upstreamStatus: 200,
};
/** The failure when a cut response is a page, which the Study API never sends: the outcome of a write is unknown. */
const damagedPage: Failure = { ...damaged, outcome: 'UNKNOWN' };
/** Deadline that is short, but long enough for the head of a response to arrive on a busy machine. */
const studyApiTimeoutMs = 250;
const timedOut: Failure = {
  reason: `The Study API gave no whole answer within ${studyApiTimeoutMs} ms.`,
  code: 'UPSTREAM_TIMEOUT',
  outcome: 'UNKNOWN',
  retryable: readRetried,
};
const timedOutInBody: Failure = { ...timedOut, outcome: 'APPLIED', upstreamStatus: 200 };
const rejected = toStatusFailure(422, 'BAD_USER_INPUT', 'REJECTED');
const failed = toStatusFailure(500, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried);

const json = 'content-type: application/json';
const html = 'content-type: text/html; charset=utf-8';
const long = 'content-length: 100';
const chunked = 'transfer-encoding: chunked';
const part = '{"id":"';
const chunk = `7\r\n${part}\r\n`;
const hints = toHead('103 Early Hints', ['link: </a>; rel=preload']);

const cuts: readonly { when: string; head: string; failure: Failure }[] = [
  { when: 'before the answer', head: '', failure: lost },
  { when: 'in the status line', head: 'HTTP/1.1 20', failure: lost },
  { when: 'in the headers of a 200', head: 'HTTP/1.1 200 OK\r\ncontent-', failure: lost },
  { when: 'after a 103', head: hints, failure: lost },
  { when: 'after the headers of a 200', head: toHead('200 OK', [json, long]), failure: damaged },
  { when: 'in the body of a 200', head: toHead('200 OK', [json, long], part), failure: damaged },
  {
    when: 'in the chunks of a 200',
    head: toHead('200 OK', [json, chunked], chunk),
    failure: damaged,
  },
  { when: 'after a 103 and in a 200', head: hints + toHead('200 OK', [long]), failure: damaged },
  { when: 'in a page with 200', head: toHead('200 OK', [html, long], '<p>'), failure: damagedPage },
  { when: 'after the headers of a 422', head: toHead('422 No', [json, long]), failure: rejected },
  { when: 'in the body of a 422', head: toHead('422 No', [json, long], part), failure: rejected },
  { when: 'after the headers of a 500', head: toHead('500 No', [json, long]), failure: failed },
  { when: 'in the body of a 500', head: toHead('500 No', [json, long], part), failure: failed },
];
const bothEnds = cuts.flatMap((row) => [
  { ...row, how: 'FIN' as const },
  { ...row, how: 'RST' as const },
]);

describe.each(allOperations)('$field', (operation) => {
  it.each([
    ['a port that nobody listens on', () => startRefusingUrl()],
    ['a name that is not found', () => 'http://study-api.invalid'],
  ])('reports NOT_SENT for %s', async (_, toUrl) => {
    const gateway = await startTestGateway({ studyApiUrl: await toUrl() });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, unreachable));
  });

  it('reports NOT_SENT for a server that does not speak TLS', async () => {
    const studyApi = await startStudyApi(answerJson({}));
    const gateway = await startTestGateway({
      studyApiUrl: studyApi.url.replace('http:', 'https:'),
    });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, unreachable));
    expect(studyApi.calls).toEqual([]);
  });

  it.each(bothEnds)(
    'reports $failure.code, $failure.outcome after a $how $when',
    async ({ head, how, failure }) => {
      const gateway = await startTestGateway({ api: cut(head, how) });

      const answer = await run(gateway, operation);

      expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
      const isCut = [lost, damaged, damagedPage].includes(failure);
      expect(toLedger(gateway)).toEqual(toExpectedLedger(operation, isCut));
    },
  );

  it.each([
    { what: 'an answer that is no HTTP', head: 'canary\r\n\r\n' },
    { what: 'headers over 16 KB', head: toHead('200 OK', [`x-canary: ${'canary'.repeat(4000)}`]) },
    { what: 'a 101 that nobody asked for', head: toHead('101 Canary', ['upgrade: canary']) },
  ])('reports UPSTREAM_UNAVAILABLE, UNKNOWN for $what', async ({ head }) => {
    const gateway = await startTestGateway({ api: cut(head, 'never') });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, lost));
    expect(answer.whole + JSON.stringify(gateway.log)).not.toContain('canary');
    expect(toLedger(gateway)).toEqual(toExpectedLedger(operation, true));
  });

  it.each([
    { what: 'silence', api: stayAlive, failure: timedOut },
    { what: 'a silence after 103', api: cut(hints, 'never'), failure: timedOut },
    {
      what: 'a stalled 200',
      api: cut(toHead('200 OK', [json, long], part), 'never'),
      failure: timedOutInBody,
    },
    {
      what: 'a stalled page with 200',
      api: cut(toHead('200 OK', [html, long], '<p>'), 'never'),
      failure: { ...timedOutInBody, outcome: 'UNKNOWN' as const },
    },
    {
      what: 'a dripping 200',
      api: drip(toHead('200 OK', [json])),
      failure: timedOutInBody,
    },
    {
      what: 'a dripping 422',
      api: drip(toHead('422 No', [json])),
      failure: rejected,
    },
    { what: 'a dripping 500', api: drip(toHead('500 No', [json])), failure: failed },
  ])('reports $failure.code, $failure.outcome for $what', async ({ api, failure }) => {
    const gateway = await startTestGateway({ api, studyApiTimeoutMs });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
    expect(toLedger(gateway)).toEqual([operation.request]);
  });
});
