import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerBytes, flood } from '../support/faults.js';
import {
  operations,
  run,
  toFailedResponse,
  toLedger,
  type Failure,
} from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const MAX_BYTES = 4 * 1024 * 1024;
const study = JSON.stringify(wholeStudy);
const json = { 'content-type': 'application/json' };

/** Returns the JSON of a study, padded with spaces to `bytes` bytes. */
function pad(bytes: number): string {
  return study.padEnd(bytes);
}

/** The failure of an answer that proves nothing: a proxy may have sent it, or an API that refuses with a 2xx. */
const notShown: Failure = {
  reason: 'The Study API answered with status 200, and the answer does not show the study.',
  code: 'UPSTREAM_CONTRACT',
  outcome: 'UNKNOWN',
  retryable: { write: false, read: false },
  upstreamStatus: 200,
};

const unreadable = 'The answer of the Study API cannot be read.';
const tooLong = 'The answer of the Study API is longer than the limit.';

describe.each(operations.filter(({ field }) => field !== 'editStudy'))('$field', (operation) => {
  it.each([
    ['JSON of text/html', study, { 'content-type': 'text/html; charset=utf-8' }],
    ['JSON of no content type, after a byte order mark', `\uFEFF${study}`, {}],
    ['4 MiB', pad(MAX_BYTES), json],
    ['JSON that is named gzip', study, { 'content-encoding': 'gzip' }],
  ])('reads a study from %s', async (_, body, headers) => {
    const gateway = await startTestGateway({ api: answerBytes(body, headers) });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual({ data: { [operation.field]: wholeStudy } });
    expect(toLedger(gateway)).toEqual([operation.request]);
  });

  it.each([
    ['JSON that is broken', '{"id":"canary"', json],
    ['bytes that are not UTF-8', Buffer.from('{"description":"canary \xff"}', 'latin1'), json],
    ['gzip, for which nobody asked', gzipSync(study), { 'content-encoding': 'gzip' }],
    ['a page that calls itself JSON', '<h1>canary</h1>', json],
    [
      'a page of more than 4 MiB',
      '<p>'.padEnd(MAX_BYTES + 1),
      { 'content-type': 'text/html' },
      tooLong,
    ],
  ])(
    'reports UNKNOWN when the body of a 200 is %s',
    async (_, body, headers, reason = notShown.reason) => {
      const gateway = await startTestGateway({ api: answerBytes(body, headers) });

      const answer = await run(gateway, operation);

      expect(answer.body).toEqual(toFailedResponse(operation, answer, { ...notShown, reason }));
      expect(answer.whole + JSON.stringify(gateway.log)).not.toContain('canary');
      expect(toLedger(gateway)).toEqual([operation.request]);
    },
  );

  it.each([
    ['more than 4 MiB', pad(MAX_BYTES + 1), json, tooLong],
    ['JSON with NaN, as of Python', study.replace('"progress"', '"more":NaN,"progress"'), json],
    [
      'a study with bytes that are not UTF-8',
      Buffer.from(`${study.slice(0, -1)},"x":"\xff"}`, 'latin1'),
      json,
    ],
  ])(
    'reports APPLIED, with its id, when the body of a 200 is %s',
    async (_, body, headers, reason = unreadable) => {
      const gateway = await startTestGateway({ api: answerBytes(body, headers) });

      const answer = await run(gateway, operation);

      const failure: Failure = {
        ...notShown,
        reason,
        outcome: 'APPLIED',
        studyId: wholeStudy.id,
      };
      expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
      expect(toLedger(gateway)).toEqual([operation.request]);
    },
  );

  it('stops reading an endless answer', async () => {
    const taken = Promise.withResolvers<number>();
    const gateway = await startTestGateway({ api: flood(taken.resolve) });

    const answer = await run(gateway, operation);

    const failure = { ...notShown, reason: tooLong };
    expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
    // More than the limit, because the buffers of both sockets take bytes as well.
    expect(await taken.promise).toBeLessThan(4 * MAX_BYTES);
    expect(toLedger(gateway)).toEqual([operation.request]);
  });
});
