import { StacklessError } from '../stack-traces.js';

/** A field in a 2xx answer of the Study API does not have the type that the contract demands. */
export class StudyContractError extends StacklessError {
  override readonly name = 'StudyContractError';

  constructor(
    /** Name of the field in the answer, such as `strategy` or `progress.total`. */
    readonly field: string,
    readonly expected: string,
    /** Kind of the received value, such as `a string` or `another page`; never the value itself. */
    readonly received: string,
    /** Bound that the answer passes; `undefined` for any other difference. */
    readonly bound?: string,
  ) {
    super(`The Study API answered "${field}" with ${received} where ${expected} was expected.`);
  }
}

/** The gateway refuses an argument of a GraphQL field. Nothing was sent to the Study API. */
export abstract class ArgumentError extends StacklessError {
  /**
   * Path of the refused value, from the name of the argument: `["input", "audiences", 0]`. Not named `path`: graphql-js
   * treats an error with an array `path` as its own error.
   */
  abstract readonly argumentPath: readonly (string | number)[];
}

/** An idempotency key is empty, too long, or has characters that an HTTP header cannot carry unchanged. */
export class IdempotencyKeyError extends ArgumentError {
  override readonly name = 'IdempotencyKeyError';
  readonly argumentPath = ['idempotencyKey'];

  constructor() {
    super('An idempotency key has 1 to 255 characters of visible ASCII, without spaces.');
  }
}

/** An argument of the field `studies` is out of range or empty, such as `page: 0`. */
export class PageArgumentError extends ArgumentError {
  override readonly name = 'PageArgumentError';

  readonly argumentPath: readonly string[];

  constructor(argument: 'page' | 'size' | 'projectId', message: string) {
    super(message);
    this.argumentPath = [argument];
  }
}
