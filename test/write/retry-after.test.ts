import { expect, it } from 'vitest';
import { answerBytes } from '../support/faults.js';
import { createStudy, study, toLedger, toRequestBody } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';

interface Told {
  readonly errors: readonly [
    { readonly extensions: { readonly retryable: boolean; readonly retryAfterSeconds?: number } },
  ];
}

const inOneMinute = () => new Date(Date.now() + 60_000).toUTCString();

it.each<[form: string, header: string, seconds: unknown]>([
  ['seconds', '7', 7],
  ['no time at all', '0', 0],
  ['zeros before and blanks around', ' 007 ', 7],
  ['a longer wait', '3601', 3600],
  ['a number beyond every number', '9'.repeat(400), 3600],
  // An HTTP date has whole seconds only, and the test itself takes time.
  ['a date', inOneMinute(), expect.closeTo(60, -1)],
  ['a date that has passed', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ...['', '-5', '1.5', '0x10', '5 s', 'soon', 'Sun, 06 Nov'].map(
    (header): [string, string, undefined] => [`"${header}", which is none`, header, undefined],
  ),
])('Retry-After of a 429 in the form of %s', async (_, header, retryAfterSeconds) => {
  const gateway = await startTestGateway({ api: answerBytes('', { 'retry-after': header }, 429) });

  const response = await gateway.post(toRequestBody(createStudy));

  const { errors } = (await response.json()) as Told;
  expect(errors[0].extensions.retryAfterSeconds).toEqual(retryAfterSeconds);
});

it.each([createStudy, study])(
  'passes on Retry-After from a 503 to $field only if a repeat is safe, and sends $field once',
  async (operation) => {
    const gateway = await startTestGateway({ api: answerBytes('', { 'retry-after': '7' }, 503) });

    const response = await gateway.post(toRequestBody(operation));

    const { errors } = (await response.json()) as Told;
    const { retryable, retryAfterSeconds } = errors[0].extensions;
    const header = response.headers.get('retry-after');
    expect([retryable, retryAfterSeconds, header]).toEqual(
      operation.isRead ? [true, 7, '7'] : [false, undefined, null],
    );
    expect(toLedger(gateway)).toEqual([operation.request]);
  },
);
