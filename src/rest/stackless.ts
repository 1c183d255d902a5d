/**
 * Calls `create` while V8 captures no stack traces. For expected errors: capturing a stack costs more than the rest of the
 * error, and nobody reads it.
 *
 * @param create must not be asynchronous
 */
export function withoutStack<Result>(create: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Base of expected errors: an error without a stack trace. */
export abstract class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    // The same again, because TypeScript allows `super` in no callback.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
