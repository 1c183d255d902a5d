import type { ExecutionResult } from 'graphql';
import { expect } from 'vitest';

/** Returns the data and the extensions of the errors, which show whether and how an operation was refused. */
export function toVerdict({ data, errors }: ExecutionResult): object {
  return { data, extensions: errors?.map(({ extensions }) => extensions) };
}

/**
 * Returns the expected verdict on an operation that the gateway refuses before executing any field.
 *
 * @param isValueNamed whether the error names the refused value in `fieldErrors`
 */
export function refused(
  code: 'BAD_USER_INPUT' | 'GRAPHQL_VALIDATION_FAILED' | 'GRAPHQL_PARSE_FAILED',
  isValueNamed = code === 'BAD_USER_INPUT',
) {
  const extensions = { code, outcome: 'NOT_SENT', retryable: false, requestId: expect.any(String) };
  const [location] = isValueNamed ? [{ fieldErrors: [expect.any(Object)] }] : [];
  return { data: undefined, extensions: [{ ...extensions, ...location }] };
}
