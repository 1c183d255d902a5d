/**
 * Base of expected errors: an error without a stack trace. Capturing a stack costs more than the rest of the error, and
 * nobody reads it.
 */
export abstract class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
