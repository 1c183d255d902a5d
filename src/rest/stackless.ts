/**
 * Stops V8 from capturing stack traces until the returned function is called. For expected errors: capturing a stack costs
 * more than the rest of the error, and nobody reads it. Call the returned function before any `await`, and
 * compute nothing in between that could throw.
 */
function pauseStackTraces(): () => void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
  };
}

/** Base of expected errors: an error without a stack trace. */
export abstract class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const resumeStackTraces = pauseStackTraces();
    super(message, options);
    resumeStackTraces();
  }
}

/** Calls `create` while V8 captures no stack traces. */
export function withoutStack<Result>(create: () => Result): Result {
  const resume = pauseStackTraces();
  try {
    return create();
  } finally {
    resume();
  }
}
