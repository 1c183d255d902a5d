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
