import { StacklessError } from 'rest-outcome';

/** A field in a 2xx answer of the Study API does not have the type that the contract demands. */
export class DriftError extends StacklessError {
  override readonly name = 'DriftError';

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
