import { expect, it } from 'vitest';
import { readRecord, toErrorRecord } from '../../src/idempotency/call-record.js';
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
