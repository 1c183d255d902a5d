import { expect, it } from 'vitest';
import { RestError, type FailureName, type JsonObject } from 'rest-outcome';
import { readRecord, toErrorRecord } from '../../packages/rest-outcome/src/record.js';

const call = {
  method: 'POST',
  path: '/studies',
  template: '/studies',
  headers: {},
} as const;

it('reports UNKNOWN for a first call that ended in a defect of the gateway', () => {
  const record = toErrorRecord(new TypeError('a defect'))!;

  for (const text of [record.whole, record.short])
    expect(() => readRecord(call, text)).toThrow(
      expect.objectContaining({ failure: 'keyUnsettled' }),
    );
});

const details = [{ location: ['body', 'status'], message: 'No' }];

it('stores the reason of a refusal beside what version 0.2.0 reads', () => {
  const record = toErrorRecord(
    new RestError('conflict', call, { status: 409, details, upstreamMessage: 'Archived' }),
  )!;

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

const seen = { status: 422, retryAfterSeconds: 7, details, upstreamMessage: 'Archived' };
const evidence = { outcome: 'APPLIED', id: 'a' } as const;
const detailText = '{"location":["body","status"],"message":"No"}';

/** Returns what a failed answer of a status is seen by, and the texts of its record. */
function refused(status: number): [object, string, string] {
  const members = `{"ending":"status","status":${status},"retryAfterSeconds":7`;
  const whole = `${members},"details":[${detailText}],"upstreamMessage":"Archived"}`;
  return [{ ...seen, status }, whole, `${members},"details":[]}`];
}

/**
 * For each failure: what was seen of the call, and the texts of its record as gateways of earlier versions write them,
 * whole and short. No texts for a failure after which the key is freed.
 */
const records: Record<FailureName, [seen: object, whole?: string, short?: string]> = {
  unreachable: [{}],
  connectionLost: [{}, '{"ending":"connection lost"}'],
  timeoutBeforeSending: [{ deadlineMs: 250 }],
  timeout: [{ deadlineMs: 250 }, '{"ending":"timeout","deadlineMs":250,"outcome":"UNKNOWN"}'],
  timeoutInBody: [
    { deadlineMs: 250, status: 201, evidence },
    '{"ending":"timeout","status":201,"deadlineMs":250,"outcome":"APPLIED","id":"a"}',
  ],
  unreadableAnswer: [
    { status: 200, body: 'an unusable body', evidence, excess: 'more than 100,000 lists' },
    '{"ending":"unreadable","status":200,"outcome":"APPLIED","id":"a","excess":"more than 100,000 lists"}',
  ],
  entityNotShown: [
    { status: 204, body: 'an unusable body', evidence: { outcome: 'APPLIED' } },
    '{"ending":"unreadable","status":204,"outcome":"APPLIED"}',
  ],
  cutAnswer: [
    { status: 200, evidence },
    '{"ending":"cut","status":200,"outcome":"APPLIED","id":"a"}',
  ],
  noRoom: [
    { status: 200, evidence: { outcome: 'UNKNOWN' }, excess: 'at most 9 bytes' },
    '{"ending":"no room","status":200,"outcome":"UNKNOWN","excess":"at most 9 bytes"}',
  ],
  redirected: refused(307),
  invalid: refused(422),
  unauthenticated: [{ ...seen, status: 401 }],
  forbidden: [{ ...seen, status: 403 }],
  notFound: refused(410),
  conflict: refused(409),
  rateLimited: [{ ...seen, status: 429 }],
  givenUp: refused(499),
  rejected: refused(418),
  unavailable: refused(503),
  serverError: refused(500),
  overloaded: [{}],
  circuitOpen: [{ retryAfterSeconds: 3 }],
  keyReused: [{}],
  keyGuessable: [{}],
  keyRefused: [{}],
  keyStoreFull: [{ retryAfterSeconds: 3 }],
  keyUnsettled: [{}, '{"ending":"unknown"}'],
  keyOfOtherToken: [{}, '{"ending":"unknown"}'],
  answerNotKept: [{}, '{"ending":"unknown"}'],
};

const failed = Object.entries(records).map(
  ([name, [facts, whole, short = whole]]) =>
    [name, new RestError(name as FailureName, create, facts), whole, short] as const,
);

it.each(failed)(
  'the record of %s has the bytes that earlier versions write',
  (_, error, whole, short) => {
    expect(toErrorRecord(error)).toEqual(whole && { whole, short });
  },
);

it.each(failed.filter(([, , whole = 'unknown']) => !whole.includes('unknown')))(
  'the record of %s is read as the error of the first call',
  (_, error, whole) => {
    const toFields = (failed: RestError) => [failed.message, ...Object.entries(failed)];

    expect(toFields(catchError(() => readRecord(create, whole!)))).toEqual(toFields(error));
  },
);

function catchError(act: () => unknown): RestError {
  try {
    act();
  } catch (error) {
    if (error instanceof RestError) return error;
  }
  throw new Error('no call failed');
}

it.each([
  ['cut short', '{"ending":"timeout","deadlineMs":250,"outcome":"UNK'],
  ['of an ending that this version does not know', '{"ending":"paused","status":201}'],
  ['of an ending that every object has', '{"ending":"constructor"}'],
  ['without its status', '{"ending":"cut","outcome":"APPLIED"}'],
  ['with another form of its details', '{"ending":"status","status":422,"details":["No"]}'],
  ['that is no object', '["timeout"]'],
])('a record %s leaves the outcome UNKNOWN', (_, text) => {
  const { failure, outcome } = catchError(() => readRecord(create, text));

  expect({ failure, outcome }).toEqual({ failure: 'keyUnsettled', outcome: 'UNKNOWN' });
});
