import { StacklessError } from '../stack-traces.js';

/** The value of a root field makes the response too long. Stands in the place of the value. */
export class LongResponseError extends StacklessError {
  override readonly name = 'LongResponseError';

  constructor(maxBytes: number) {
    super(
      `The response would have more than ${maxBytes.toLocaleString('en')} bytes, which is the limit.`,
    );
  }
}
