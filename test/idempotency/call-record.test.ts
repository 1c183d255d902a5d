import { expect, it } from 'vitest';
import { readRecord, toErrorRecord } from '../../src/idempotency/call-record.js';
import { RestStatusError } from '../../src/rest/errors.js';
import { RestKeyUnsettledError } from '../../src/rest/idempotency-errors.js';
import type { JsonObject } from '../../src/rest/rest-call.js';

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

/** A create of anything whose answers show it by `id`. */
const create = {
  ...call,
  entity: { readId: ({ id }: JsonObject) => (typeof id === 'string' ? id : null) },
};

it.each([
  ['unreadable', { status: 200 }, 'UNKNOWN'],
  ['cut', { status: 202 }, 'UNKNOWN'],
  ['no room', { status: 200 }, 'UNKNOWN'],
  ['timeout', { status: 206, deadlineMs: 10_000 }, 'UNKNOWN'],
  ['unreadable', { status: 204 }, 'APPLIED'],
  ['cut', { status: 201 }, 'APPLIED'],
  ['cut', { status: 200, id: 'a' }, 'APPLIED'],
])(
  'believes a kept APPLIED only with evidence, which version 0.2.0 did not ask for: %s %j',
  (ending, facts, outcome) => {
    const text = JSON.stringify({ ending, ...facts, outcome: 'APPLIED' });

    expect(() => readRecord(create, text)).toThrow(expect.objectContaining({ outcome }));
  },
);

it('believes an answer that version 0.2.0 has stored only if it shows what the call asks for', () => {
  const toText = (answer: object): string => JSON.stringify({ ending: 'answer', answer });

  expect(readRecord(create, toText({ id: 'a' }))).toEqual({ id: 'a' });
  expect(() => readRecord(create, toText({ success: true }))).toThrow(
    expect.objectContaining({ failure: 'entityNotShown', outcome: 'UNKNOWN' }),
  );
});
