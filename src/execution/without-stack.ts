/**
 * Calls `create` while V8 captures no stack traces. For expected errors: formatting a stack costs more than the rest
 * of the error, and nobody reads it.
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
