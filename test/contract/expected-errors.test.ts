import { expect, it } from 'vitest';
import { ForbiddenError } from '../../src/auth/forbidden.error.js';
import { KeysUnavailableError } from '../../src/auth/keys-unavailable.error.js';
import { UnauthenticatedError } from '../../src/auth/unauthenticated.error.js';
import { RestOverloadedError } from '../../src/rest/errors.js';
import { DateTimeScalar, UuidScalar } from '../../src/scalars/scalars.js';
import { withoutStack } from '../../src/stack-traces.js';
import {
  IdempotencyKeyError,
  PageArgumentError,
  StudyContractError,
} from '../../src/study/study.errors.js';

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
  ['UnauthenticatedError', () => new UnauthenticatedError('Send a token.')],
  ['ForbiddenError', () => new ForbiddenError('The token may read only.')],
  ['KeysUnavailableError', () => new KeysUnavailableError(1)],
  [
    'RestError',
    () =>
      new RestOverloadedError({
        method: 'POST',
        path: '/studies',
        template: '/studies',
        token: 't',
        requestId: 'r',
      }),
  ],
  ['StudyContractError', () => new StudyContractError('id', 'a UUID', 'null')],
  ['IdempotencyKeyError', () => new IdempotencyKeyError()],
  ['PageArgumentError', () => new PageArgumentError('page', 'A page is 1 or more.')],
  ['the error of a UUID', () => catchError(() => UuidScalar.parseValue('x'))],
  ['the error of a DateTime', () => catchError(() => DateTimeScalar.parseValue('x'))],
])('%s has no stack, and the next error has one', (_, create) => {
  expect(create().stack).not.toMatch(FRAME);
  expect(new Error('a defect').stack).toMatch(FRAME);
});

it('stacks are captured again after an error is thrown while they are not', () => {
  expect(() =>
    withoutStack(() => {
      throw new TypeError('a defect');
    }),
  ).toThrow('a defect');

  expect(new Error('another one').stack).toMatch(FRAME);
});
