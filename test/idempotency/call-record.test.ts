import { expect, it } from 'vitest';
import { readRecord, toErrorRecord } from '../../src/idempotency/call-record.js';
import { RestStatusError } from '../../src/rest/errors.js';
import { RestKeyUnsettledError } from '../../src/rest/idempotency-errors.js';

const call = {
  method: 'POST',
  path: '/studies',
  template: '/studies',
  token: 'test-token',
  requestId: '1',
} as const;

it('reports UNKNOWN for a first call that ended in a defect of the gateway', () => {
  const record = toErrorRecord(new TypeError('a defect'))!;

  for (const text of [record.whole, record.short])
    expect(() => readRecord(call, text)).toThrow(RestKeyUnsettledError);
});

const details = [{ location: ['body', 'status'], message: 'No' }];

it('stores the reason of a refusal beside what version 0.2.0 reads', () => {
  const record = toErrorRecord(new RestStatusError(call, 409, undefined, details, 'Archived'))!;

  expect(JSON.parse(record.whole)).toEqual({
    ending: 'status',
    status: 409,
    details,
    upstreamMessage: 'Archived',
  });
  expect(JSON.parse(record.short)).toEqual({ ending: 'status', status: 409, details: [] });
});

it('reads the refusals that version 0.2.0 has stored', () => {
  const text = JSON.stringify({ ending: 'status', status: 429, retryAfterSeconds: 7, details });

  expect(() => readRecord(call, text)).toThrow(
    expect.objectContaining({ status: 429, retryAfterSeconds: 7, details }),
  );
});
