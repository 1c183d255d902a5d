import { expect, it } from 'vitest';
import { answerBytes } from '../support/faults.js';
import {
  createStudy,
  run,
  study,
  toRequestBody,
  toFailedResponse,
  toLedger,
  toStatusFailure,
} from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';

const inOneMinute = () => new Date(Date.now() + 60_000).toUTCString();
/** Matches about 60: an HTTP date has whole seconds only, and the test itself takes time. */
const aboutOneMinute: unknown = expect.closeTo(60, -1);

it.each([
  { header: '7', seconds: 7, form: 'seconds' },
  { header: '0', seconds: 0, form: 'no time at all' },
  { header: ' 007 ', seconds: 7, form: 'zeros before and blanks around' },
  { header: '3601', seconds: 3600, form: 'a longer wait' },
  { header: '9'.repeat(400), seconds: 3600, form: 'a number beyond every number' },
  { header: inOneMinute(), seconds: aboutOneMinute, form: 'a date' },
  { header: 'Sun, 06 Nov 1994 08:49:37 GMT', seconds: 0, form: 'a date that has passed' },
])('passes on Retry-After in the form of $form', async ({ header, seconds }) => {
  const gateway = await startTestGateway({ api: answerBytes('', { 'retry-after': header }, 429) });

  const answer = await run(gateway, createStudy);

  expect(answer.body).toEqual(
    toFailedResponse(createStudy, answer, {
      ...toStatusFailure(429, 'RATE_LIMITED', 'REJECTED', { write: true, read: true }),
      retryAfterSeconds: seconds,
    }),
  );
});

it.each(['', '-5', '1.5', '0x10', '5 s', 'soon', 'Sun, 06 Nov'])(
  'ignores the Retry-After "%s"',
  async (header) => {
    const gateway = await startTestGateway({
      api: answerBytes('', { 'retry-after': header }, 429),
    });

    const answer = await run(gateway, createStudy);

    expect(answer.body).toEqual(
      toFailedResponse(
        createStudy,
        answer,
        toStatusFailure(429, 'RATE_LIMITED', 'REJECTED', { write: true, read: true }),
      ),
    );
  },
);

it.each([createStudy, study])(
  'passes on Retry-After from a 503 to $field only if a repeat is safe, and sends $field once',
  async (operation) => {
    const gateway = await startTestGateway({ api: answerBytes('', { 'retry-after': '7' }, 503) });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(
      toFailedResponse(operation, answer, {
        ...toStatusFailure(503, 'UPSTREAM_ERROR', 'UNKNOWN', { write: false, read: true }),
        ...(operation.isRead && { retryAfterSeconds: 7 }),
      }),
    );
    const { headers } = await gateway.post(toRequestBody(operation));
    expect(headers.get('retry-after')).toBe(operation.isRead ? '7' : null);
    expect(toLedger(gateway)).toEqual([operation.request, operation.request]);
  },
);
