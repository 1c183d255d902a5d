import { RestError } from 'rest-outcome';
import { expect, it } from 'vitest';
import { Refusal } from '../../src/errors/refusal.js';
import { DateTimeScalar, UuidScalar } from '../../src/scalars/scalars.js';
import { DriftError } from '../../src/study/drift.js';

const FRAME = /\n {4}at /;

function catchError(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}

it.each<[string, () => Error]>([
  ['a refused caller', () => new Refusal('UNAUTHENTICATED', 'Send a token.')],
  [
    'a refused argument',
    () =>
      new Refusal('BAD_USER_INPUT', 'A page is 1 or more.', {
        fieldErrors: [{ path: ['page'], message: 'A page is 1 or more.' }],
      }),
  ],
  ['RestError', () => new RestError('overloaded', { method: 'POST', template: '/studies' })],
  ['DriftError', () => new DriftError('id', 'a UUID', 'null')],
  ['the error of a UUID', () => catchError(() => UuidScalar.parseValue('x'))],
  ['the error of a DateTime', () => catchError(() => DateTimeScalar.parseValue('x'))],
])('%s has no stack, and the next error has one', (_, create) => {
  expect(create().stack).not.toMatch(FRAME);
  expect(new Error('a defect').stack).toMatch(FRAME);
});
