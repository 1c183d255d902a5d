import { describe, expect, it } from 'vitest';
import { allDaily, everyNth } from '../support/daily.js';
import { cut, drip, stayAlive, toHead, startRefusingUrl } from '../support/faults.js';
import {
  allOperations,
  createStudy,
  editStudy,
  operations,
  run,
  toExpectedLedger,
  toFailedResponse,
  toLedger,
  toStatusFailure,
  type Failure,
} from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
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
/** The failure when a 2xx response is cut before it shows the study: a read is worth a retry. */
const damaged: Failure = {
  reason: 'The answer of the Study API cannot be read.',
  code: 'UPSTREAM_CONTRACT',
  outcome: 'UNKNOWN',
  retryable: readRetried,
  upstreamStatus: 200,
};
/** The failure when a 2xx response is cut after the id of the study: a write is applied. */
const damagedStudy: Failure = { ...damaged, outcome: 'APPLIED', studyId: wholeStudy.id };
/** The failure when an object with 201 is cut before its id: created, as RFC 9110 says of 201. */
const damagedCreated: Failure = { ...damaged, outcome: 'APPLIED', upstreamStatus: 201 };
/** Deadline that is short, but long enough for the head of a response to arrive on a busy machine. */
const deadlineMs = 250;
const timedOut: Failure = {
  reason: `The Study API did not answer completely within ${deadlineMs} ms.`,
  code: 'UPSTREAM_TIMEOUT',
  outcome: 'UNKNOWN',
  retryable: readRetried,
};
const timedOutInBody: Failure = { ...timedOut, upstreamStatus: 200 };
const rejected = toStatusFailure(422, 'BAD_USER_INPUT', 'REJECTED');
const failed = toStatusFailure(500, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried);

const json = 'content-type: application/json';
const html = 'content-type: text/html; charset=utf-8';
const long = 'content-length: 100';
const chunked = 'transfer-encoding: chunked';
const part = '{"id":"';
const shown = `{"id":"${wholeStudy.id}"`;
const another = '{"id":"99999999-9999-4999-8999-999999999999",';
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
  { when: 'in a page with 200', head: toHead('200 OK', [html, long], '<p>'), failure: damaged },
  { when: 'after the id', head: toHead('200 OK', [json, long], shown), failure: damagedStudy },
  {
    when: 'after the id and in the next name',
    head: toHead('200 OK', [html, long], `${shown},"descr`),
    failure: damagedStudy,
  },
  {
    when: 'after a member and the id, in an object',
    head: toHead(
      '200 OK',
      [long],
      `{"a":[{"id":1,"b":"\\",{"}],${shown.slice(1)},"progress":{"total":1`,
    ),
    failure: damagedStudy,
  },
  {
    when: 'after the id of an inner object',
    head: toHead('200 OK', [json, long], `{"data":${shown},"x":`),
    failure: damaged,
  },
  {
    when: 'in an object with 201',
    head: toHead('201 Created', [json, long], part),
    failure: damagedCreated,
  },
  {
    when: 'after an id that is null, with 201',
    head: toHead('201 Created', [json, long], '{"id":null,'),
    failure: { ...damaged, upstreamStatus: 201 },
  },
  {
    when: 'in a page with 201',
    head: toHead('201 Created', [html, long], '<p>{"id":'),
    failure: { ...damaged, upstreamStatus: 201 },
  },
  { when: 'after the headers of a 422', head: toHead('422 No', [json, long]), failure: rejected },
  { when: 'in the body of a 422', head: toHead('422 No', [json, long], part), failure: rejected },
  { when: 'after the headers of a 500', head: toHead('500 No', [json, long]), failure: failed },
  { when: 'in the body of a 500', head: toHead('500 No', [json, long], part), failure: failed },
];
const bothEnds = cuts.flatMap((row, index) => {
  const fin = { ...row, how: 'FIN' as const };
  const rst = { ...row, how: 'RST' as const };
  return allDaily([fin, rst], [index % 2 === 0 ? fin : rst]);
});

const stalls = [
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
    failure: timedOutInBody,
  },
  {
    what: 'a 200 that stalls after the id',
    api: cut(toHead('200 OK', [json, long], shown), 'never'),
    failure: { ...timedOutInBody, outcome: 'APPLIED' as const, studyId: wholeStudy.id },
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
];

it('reports UNKNOWN after an edit whose answer is cut after the id of another study', async () => {
  const gateway = await startTestGateway({
    api: cut(toHead('200 OK', [json, long], another), 'FIN'),
  });

  const answer = await run(gateway, editStudy);

  expect(answer.body).toEqual(toFailedResponse(editStudy, answer, damaged));
});

describe.each(allDaily(allOperations, operations))('$field', (operation) => {
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

  it.each(operation === createStudy ? bothEnds : everyNth(3, bothEnds))(
    'reports $failure.code, $failure.outcome after a $how $when',
    async ({ head, how, failure }) => {
      const gateway = await startTestGateway({ api: cut(head, how) });

      const answer = await run(gateway, operation);

      expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
      const isCut = ![rejected, failed].includes(failure);
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

  it.each(everyNth(2, stalls))(
    'reports $failure.code, $failure.outcome for $what',
    async ({ api, failure }) => {
      const gateway = await startTestGateway({ api, deadlineMs });

      const answer = await run(gateway, operation);

      expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
      expect(toLedger(gateway)).toEqual([operation.request]);
    },
  );
});
